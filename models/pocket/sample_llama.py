# SPDX-License-Identifier: Apache-2.0
"""Prints what a pocket Llama writes after a few prompts: greedy, then sampled.

    sample_llama.py --model DIR [--temperature 0.8] [--tokens 120] [--seed 1]
"""

import argparse

import torch
from transformers import AutoTokenizer, LlamaForCausalLM

PROMPTS = (
    "In the beginning",
    "It is a truth",
    "And the king said unto the woman,",
    "Emma was",
    '"My dear Mr. Bennet,"',
    "Once upon a time",
)


@torch.no_grad()
def continue_text(model, tokenizer, prompt, tokens, temperature):
    """The text of `prompt` and of up to `tokens` new tokens; greedy at 0."""
    sampling = {"do_sample": False}
    if temperature > 0:
        sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 0.95}
    inputs = tokenizer(prompt, return_tensors="pt")
    output = model.generate(**inputs, **sampling, max_new_tokens=tokens)
    return tokenizer.decode(output[0], skip_special_tokens=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--temperature", type=float, default=0.8)
    parser.add_argument("--tokens", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = LlamaForCausalLM.from_pretrained(args.model, dtype=torch.float32).eval()
    for temperature in (0.0, args.temperature):
        print(f"== temperature {temperature}")
        for prompt in PROMPTS:
            text = continue_text(model, tokenizer, prompt, args.tokens, temperature)
            print(f"> {text}\n")


if __name__ == "__main__":
    main()
