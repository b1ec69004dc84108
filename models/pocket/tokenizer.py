# SPDX-License-Identifier: Apache-2.0
"""Trains and saves a byte-level BPE tokenizer in the form that Llama 3 uses.

The same split expression, the same byte alphabet, special tokens after the
ordinary ones, and a post-processor that puts BOS first; only the vocabulary is
small and our own.
"""

import json
import pathlib

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models
from tokenizers import pre_tokenizers, processors, trainers

BOS = "<|begin_of_text|>"
EOS = "<|end_of_text|>"

SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"  # contractions
    r"|[^\r\n\p{L}\p{N}]?\p{L}+"  # a word with the one character before it
    r"|\p{N}{1,3}"  # digits by threes
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*"  # punctuation
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"  # white space
)


def train_tokenizer(documents, vocab_size):
    """A tokenizer of exactly `vocab_size` ids, BOS and EOS the last two."""
    tokenizer = Tokenizer(models.BPE(ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(SPLIT), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size - 2,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(documents, trainer)
    tokenizer.add_special_tokens([AddedToken(BOS, normalized=False), AddedToken(EOS, normalized=False)])
    bos = tokenizer.token_to_id(BOS)
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(
            single=f"{BOS} $A",
            pair=f"{BOS} $A {BOS}:1 $B:1",
            special_tokens=[(BOS, bos)],
        ),
    ])
    if tokenizer.get_vocab_size() != vocab_size:
        raise ValueError(f"wanted {vocab_size} tokens, the text gave {tokenizer.get_vocab_size()}")
    return tokenizer


def save_tokenizer(tokenizer, folder, max_length):
    """Writes tokenizer.json and tokenizer_config.json into `folder`."""
    folder = pathlib.Path(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    added = {
        str(token_id): {
            "content": token.content,
            "lstrip": False,
            "normalized": False,
            "rstrip": False,
            "single_word": False,
            "special": True,
        }
        for token_id, token in tokenizer.get_added_tokens_decoder().items()
    }
    config = {
        "added_tokens_decoder": added,
        "bos_token": BOS,
        "eos_token": EOS,
        "clean_up_tokenization_spaces": False,
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": max_length,
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")
