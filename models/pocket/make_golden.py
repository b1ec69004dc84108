# SPDX-License-Identifier: Apache-2.0
"""Writes the golden files: what Hugging Face computes for the pocket Llama.

    make_golden.py --model models/pocket/llama --out models/pocket/golden

llama.json: for each prompt its text, its token ids (with BOS), the greedy
continuation (ids, text, and for every step the margin between the best and the
second logit) and the name of a NumPy file of logits.
llama_<name>.npy: f32 [positions, vocabulary], the logits from position
`first_position` of the prompt to its last.
tokenizer.json: texts with their ids, without and with special tokens.

The weights are the file's float16, all arithmetic is f32 on the CPU with eager
attention and without a key-value cache.
"""

import argparse
import json
import pathlib

import numpy
import tokenizers
import torch
import transformers

from golden_text import PROMPTS, TOKENIZER_TEXTS

GREEDY_TOKENS = 48
# A prompt longer than this keeps the logits of its last positions only.
FULL_POSITIONS = 48
LAST_POSITIONS = 16


@torch.no_grad()
def logits_of(model, ids):
    """f32 [positions, vocabulary]."""
    return model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]


def greedy(model, ids, count):
    """`count` greedy tokens, never stopping at EOS, and the margin of each."""
    ids, new, margins = list(ids), [], []
    for _ in range(count):
        best = torch.topk(logits_of(model, ids)[-1], 2)
        new.append(int(best.indices[0]))
        margins.append(round(float(best.values[0] - best.values[1]), 6))
        ids.append(new[-1])
    return new, margins


def prompt_entry(model, tokenizer, name, text, folder):
    """Writes the logits of one prompt; returns its entry of llama.json."""
    ids = tokenizer.encode(text).ids
    logits = logits_of(model, ids).numpy()
    first = 0 if len(ids) <= FULL_POSITIONS else len(ids) - LAST_POSITIONS
    file = f"llama_{name}.npy"
    numpy.save(folder / file, numpy.ascontiguousarray(logits[first:], numpy.float32))
    new, margins = greedy(model, ids, GREEDY_TOKENS)
    return {
        "name": name,
        "text": text,
        "token_ids": ids,
        "logits": file,
        "first_position": first,
        "greedy_ids": new,
        "greedy_text": tokenizer.decode(new, skip_special_tokens=False),
        "greedy_margins": margins,
    }


def tokenizer_entry(tokenizer, text):
    """One text, its ids without and with BOS, and the text decoded again."""
    plain = tokenizer.encode(text, add_special_tokens=False).ids
    return {
        "text": text,
        "ids": plain,
        "ids_with_special": tokenizer.encode(text, add_special_tokens=True).ids,
        "decoded": tokenizer.decode(plain, skip_special_tokens=False),
    }


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # a model this small only loses by more

    tokenizer = tokenizers.Tokenizer.from_file(str(args.model / "tokenizer.json"))
    model = transformers.LlamaForCausalLM.from_pretrained(
        args.model, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    versions = {m.__name__: m.__version__ for m in (tokenizers, transformers, numpy)}
    versions["torch"] = str(torch.__version__)
    prompts = [prompt_entry(model, tokenizer, *prompt, args.out) for prompt in PROMPTS]
    write_json(args.out / "llama.json", {"made_with": versions, "prompts": prompts})
    texts = [tokenizer_entry(tokenizer, text) for text in TOKENIZER_TEXTS]
    write_json(args.out / "tokenizer.json", {"made_with": versions, "texts": texts})


if __name__ == "__main__":
    main()
