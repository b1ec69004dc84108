#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the small tokenizers of the tests, and what Hugging Face says of them.

    pip install tokenizers==0.23.3 && python3 make_golden.py [--texts N] [OUT]

Writes OUT/llama3_like.json, gpt2_like.json, ... (vocabularies of some 400
tokens) and OUT/golden.json: [{tokenizer, text, ids, special_ids, decoded}], the
ids without and with special tokens.
"""

import argparse
import json
import pathlib
import random
import unicodedata

from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models,
                        normalizers, pre_tokenizers, processors, trainers)

LLAMA3_PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
                  r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
                  r"\s+(?!\S)|\s+")

TRAINING_TEXT = [
    "The mill stood where the river bends, and its wheel had turned for years.",
    "Every sack of flour in the valley had passed between those two stones.",
    "\"It's late,\" said the miller; \"we'll grind the rest tomorrow.\"",
    "They'd carried 12 sacks, then 144, then 1728, and still there was more.",
    "Das Mühlrad dreht sich; l'été, la rivière est basse; こんにちは世界。",
    "  two spaces,\ttabs,\n\nlines,   and trailing blanks   \n",
    "naïve café Ελλάδα Москва 你好 😀👍🏽 e\u0301 ½ ² Ⅷ ٣",
]

AWKWARD_TEXTS = [
    "", " ", "  ", "\n", "\r\n", "\t\t", " \n ", "a", " a", "  a", "a ", "a  ",
    "Hello, world!", "the mill", "THE MILL", "It's we'll they'd I'm you've",
    "IT'S WE'LL THEY'D", "don’t", "it'\u017f late", "'s's", "1", "12", "123",
    "1234567890", "3.14159", "1,000,000", "²³½Ⅷ٣४", "x1y22z333",
    "a\nb", "a\n\nb", "a \n b", "a   \n\n   b", "a\r\n\r\nb", "   \n", "\n   ",
    "word   word", "word \t word", "a\u00a0b", "a\u2003b", "\u3000全角",
    "a\u180eb \u180e \u180e\u180e", "a\u200bb", "a\u0085b", "\ufeffbom",
    "\u2028line\u2029", "\x00", "a\x00b", "\x1f\x7f", "e\u0301e\u0301",
    "n\u0303o\u0308", "\u0301", "ẹ\u0301\u0302", "😀", "😀😀", "👍🏽", "👩‍👩‍👧‍👦",
    "🇩🇪🇫🇷", "日本語のテキスト", "你好，世界！", "한국어 텍스트", "العربية", "עברית",
    "नमस्ते दुनिया", "ไทย", "Ελληνικά", "Кириллица", "ﬁ ﬆ ß ẞ İ ı", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "\U0010ffff", "\ufffd", "\ue000", "\uffff", "!!!", "?!...---", "$100.00 %",
    "http://example.org/a?b=c&d=e#f", "def f(x):\n    return x ** 2\n",
    "{\"a\": [1, 2, {\"b\": null}]}", "<|begin|>", "<|begin|>hello<|end|>",
    "<|begin", "<|<|begin|>|>", "a<|end|> b", "<|end|><|end|>", "<|end|>more",
    "<|end|>>", "[tag]", "a[tag]b", "[tag] [tagged]", "[tagg",
    "a" * 300, " " * 200, "ab" * 150, "the " * 80, "\n" * 70, "9" * 100,
    "é" * 90, "😀" * 40,
]


def random_texts(count):
  """Random strings of characters that every Unicode since 13 agrees on."""
  rng = random.Random(7)
  pool = list(" \n\t\r'\"0123456789abcdefstmlvreABCDSTMLVRE.,;:!?-_/\\<|>[]")
  pool += [" ", " ", " ", "the", "mill", "'ll", "<|end|>", "\u00a0", "\u3000"]
  ranges = [(0xa1, 0x24f), (0x300, 0x36f), (0x370, 0x52f), (0x5d0, 0x6ff),
            (0x900, 0x97f), (0xe00, 0xe5b), (0x1680, 0x1680), (0x2000, 0x20b0),
            (0x2150, 0x2188), (0x3000, 0x30ff), (0x4e00, 0x4eff),
            (0xac00, 0xacff), (0xfe00, 0xfe0f), (0x1d400, 0x1d4ff),
            (0x1f600, 0x1f64f)]
  texts = []
  for _ in range(count):
    parts = []
    for _ in range(rng.randint(1, 24)):
      if rng.random() < 0.6:
        parts.append(rng.choice(pool))
      else:
        low, high = rng.choice(ranges)
        character = chr(rng.randint(low, high))
        if unicodedata.category(character) != "Cn":
          parts.append(character)
    texts.append("".join(parts))
  return texts


def trained(pre_tokenizer, ignore_merges, special):
  tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
  tokenizer.pre_tokenizer = pre_tokenizer
  tokenizer.decoder = decoders.ByteLevel()
  trainer = trainers.BpeTrainer(
      vocab_size=420, min_frequency=1, show_progress=False,
      special_tokens=special,
      initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
  tokenizer.train_from_iterator(TRAINING_TEXT, trainer)
  return tokenizer


def llama3_like():
  tokenizer = trained(
      pre_tokenizers.Sequence([
          pre_tokenizers.Split(Regex(LLAMA3_PATTERN), "isolated"),
          pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
      ]), True, ["<|begin|>", "<|end|>"])
  # Whole words that no merge leads to: found only thanks to ignore_merges.
  data = json.loads(tokenizer.to_str())
  for word in ["Ġriverbend", "Hello"]:
    data["model"]["vocab"][word] = len(data["model"]["vocab"])
  tokenizer = Tokenizer.from_str(json.dumps(data))
  # A longer token that begins like a shorter one.
  tokenizer.add_special_tokens(["<|end|>>"])
  tokenizer.post_processor = processors.Sequence([
      processors.ByteLevel(trim_offsets=False),
      processors.TemplateProcessing(
          single="<|begin|> $A", pair="<|begin|> $A <|begin|> $B",
          special_tokens=[("<|begin|>", 0)]),
  ])
  return json.loads(tokenizer.to_str())


def gpt2_like():
  tokenizer = trained(pre_tokenizers.ByteLevel(add_prefix_space=True), False,
                      ["<|end|>"])
  data = json.loads(tokenizer.to_str())
  data["model"]["merges"] = [" ".join(m) for m in data["model"]["merges"]]
  return data


def digits_like():
  tokenizer = trained(
      pre_tokenizers.Sequence([
          pre_tokenizers.Digits(individual_digits=True),
          pre_tokenizers.Split("mill", "isolated"),
          pre_tokenizers.ByteLevel(add_prefix_space=False),
      ]), False, ["<|begin|>", "<|end|>"])
  tokenizer.add_tokens([AddedToken("[tag]", normalized=True),
                        AddedToken("g] [", normalized=True)])
  tokenizer.post_processor = processors.TemplateProcessing(
      single="<|begin|> $A <|end|>", special_tokens=[("<|begin|>", 0),
                                                     ("<|end|>", 1)])
  return json.loads(tokenizer.to_str())


def over_characters(normalizer, pre_tokenizer, decoder, byte_fallback,
                    fuse_unk):
  """A tokenizer of the Llama 2 kind: characters, and bytes for the others."""
  special = ["<unk>", "<s>", "</s>"]
  tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=fuse_unk,
                                   byte_fallback=byte_fallback))
  if normalizer is not None:
    tokenizer.normalizer = normalizer
  if pre_tokenizer is not None:
    tokenizer.pre_tokenizer = pre_tokenizer
  tokenizer.decoder = decoder
  data = [f"<0x{byte:02X}>" for byte in range(256)] if byte_fallback else []
  trainer = trainers.BpeTrainer(vocab_size=len(data) + 220, min_frequency=1,
                                show_progress=False,
                                special_tokens=special + data,
                                max_token_length=12)
  tokenizer.train_from_iterator(TRAINING_TEXT, trainer)
  made = json.loads(tokenizer.to_str())
  made["added_tokens"] = [t for t in made["added_tokens"]
                          if t["content"] in special]
  return Tokenizer.from_str(json.dumps(made))


def with_bos(tokenizer):
  tokenizer.post_processor = processors.TemplateProcessing(
      single="<s> $A", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))])
  return json.loads(tokenizer.to_str())


def llama2_like():
  tokenizer = over_characters(
      normalizers.Sequence([normalizers.Prepend("▁"),
                            normalizers.Replace(" ", "▁")]), None,
      decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(),
                         decoders.Fuse(), decoders.Strip(" ", 1, 0)]),
      True, True)
  tokenizer.add_tokens([
      AddedToken("[tag]", normalized=True),
      AddedToken("<|end|>", lstrip=True, rstrip=True, normalized=False),
      AddedToken("mill", single_word=True, normalized=False)])
  return with_bos(tokenizer)


def gemma_like():
  tokenizer = over_characters(
      normalizers.Replace(" ", "▁"),
      pre_tokenizers.Split(" ", "merged_with_previous"),
      decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(),
                         decoders.Fuse()]), True, True)
  tokenizer.add_tokens([AddedToken(t, normalized=False)
                        for t in ("▁▁", "▁▁▁", "\n\n", "<|end|>")])
  return with_bos(tokenizer)


def mistral_like():
  """Without byte_fallback: unknown characters, each by itself."""
  return with_bos(over_characters(
      None, pre_tokenizers.Metaspace(prepend_scheme="first", split=False),
      decoders.Metaspace(prepend_scheme="first"), False, False))


def metaspace_like():
  """Unknown characters fused, words split at the mark."""
  tokenizer = over_characters(
      normalizers.NFKC(), pre_tokenizers.Metaspace(prepend_scheme="always"),
      decoders.Metaspace(prepend_scheme="always"), False, True)
  tokenizer.add_special_tokens([AddedToken("<|end|>", rstrip=True)])
  return with_bos(tokenizer)


def qwen2_like():
  tokenizer = trained(
      pre_tokenizers.Sequence([
          pre_tokenizers.Split(
              Regex(LLAMA3_PATTERN.replace("{1,3}", "")), "isolated"),
          pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
      ]), False, ["<|begin|>", "<|end|>"])
  tokenizer.normalizer = normalizers.NFC()
  tokenizer.add_tokens([AddedToken("café", single_word=True, normalized=True),
                        AddedToken("[tag]", lstrip=True, normalized=False)])
  return json.loads(tokenizer.to_str())


def splits_like():
  """Every behaviour of Split."""
  tokenizer = trained(
      pre_tokenizers.Sequence([
          pre_tokenizers.Split(",", "removed"),
          pre_tokenizers.Split(Regex("[a-z]+"), "contiguous", invert=True),
          pre_tokenizers.Split("-", "merged_with_next"),
          pre_tokenizers.Split(Regex("[.!?]"), "merged_with_previous"),
          pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False),
      ]), False, ["<|end|>"])
  tokenizer.normalizer = normalizers.Sequence([
      normalizers.NFD(), normalizers.Replace(Regex(r"\s+"), " ")])
  return json.loads(tokenizer.to_str())


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("--texts", type=int, default=120)
  parser.add_argument("out", nargs="?", default=pathlib.Path(__file__).parent,
                      type=pathlib.Path)
  args = parser.parse_args()
  texts = AWKWARD_TEXTS + random_texts(args.texts)
  golden = []
  for make in (llama3_like, gpt2_like, digits_like, llama2_like, gemma_like,
               mistral_like, metaspace_like, qwen2_like, splits_like):
    name = make.__name__ + ".json"
    text = json.dumps(make(), ensure_ascii=True, separators=(",", ":"))
    (args.out / name).write_text(text + "\n")
    tokenizer = Tokenizer.from_str(text)
    for text in texts:
      ids = tokenizer.encode(text, add_special_tokens=False).ids
      special = tokenizer.encode(text).ids
      golden.append({"tokenizer": name, "text": text, "ids": ids,
                     "special_ids": special,
                     "decoded": tokenizer.decode(special)})
  lines = ",\n".join(json.dumps(g, separators=(",", ":")) for g in golden)
  (args.out / "golden.json").write_text("[\n" + lines + "\n]\n")


if __name__ == "__main__":
  main()
