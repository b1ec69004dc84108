#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes logit_rules.json: what Hugging Face's logits processors do to logits.

    pip install torch transformers && python3 make_logit_rules.py

Each case: the options, the sequence, how many of its tokens are the prompt,
the logits, and the logits afterwards (null: -inf). A case that samples has
"kept": the ids that stay possible.
"""

import json
import pathlib
import random

import torch
from transformers.generation import logits_process as hf

VOCABULARY = 24
EOS = [2, 5]


def processors(options, prompt):
  made = []
  if "repetition_penalty" in options:
    made.append(hf.RepetitionPenaltyLogitsProcessor(
        options["repetition_penalty"]))
  if "no_repeat_ngram_size" in options:
    made.append(hf.NoRepeatNGramLogitsProcessor(
        options["no_repeat_ngram_size"]))
  if "min_new_tokens" in options:
    made.append(hf.MinNewTokensLengthLogitsProcessor(
        prompt, options["min_new_tokens"], EOS))
  if "suppress_tokens" in options:
    made.append(hf.SuppressTokensLogitsProcessor(options["suppress_tokens"]))
  return made


def warpers(options):
  made = []
  if "temperature" in options:
    made.append(hf.TemperatureLogitsWarper(options["temperature"]))
  if "top_k" in options:
    made.append(hf.TopKLogitsWarper(options["top_k"]))
  if "top_p" in options:
    made.append(hf.TopPLogitsWarper(options["top_p"]))
  if "min_p" in options:
    made.append(hf.MinPLogitsWarper(options["min_p"]))
  return made


def run(steps, sequence, logits):
  ids = torch.tensor([sequence])
  for step in steps:
    logits = step(ids, logits)
  return logits


def main():
  rng = random.Random(5)
  cases = []
  choices = [
      {"repetition_penalty": 1.3}, {"repetition_penalty": 0.7},
      {"no_repeat_ngram_size": 1}, {"no_repeat_ngram_size": 2},
      {"no_repeat_ngram_size": 3}, {"min_new_tokens": 3},
      {"suppress_tokens": [0, 7, 23]},
      {"repetition_penalty": 1.1, "no_repeat_ngram_size": 2,
       "min_new_tokens": 2, "suppress_tokens": [3]},
      {"temperature": 0.7, "top_k": 5}, {"temperature": 1.5, "top_p": 0.8},
      {"temperature": 1.0, "min_p": 0.2},
      {"temperature": 0.9, "top_k": 12, "top_p": 0.9, "min_p": 0.05},
      {"repetition_penalty": 1.5, "temperature": 1.2, "min_p": 0.1},
  ]
  for options in choices:
    for length in (1, 2, 9, 30):
      sequence = [rng.randrange(6) for _ in range(length)]
      prompt = (length + 1) // 2
      logits = torch.tensor([[rng.gauss(0, 2) for _ in range(VOCABULARY)]])
      changed = run(processors(options, prompt), sequence, logits.clone())
      case = {"options": options, "eos": EOS, "sequence": sequence,
              "prompt": prompt, "logits": logits[0].tolist(),
              "changed": [x if x > float("-inf") else None
                          for x in changed[0].tolist()]}
      if "temperature" in options:
        kept = run(warpers(options), sequence, changed.clone())[0]
        case["kept"] = [i for i, x in enumerate(kept.tolist())
                        if x > float("-inf")]
      cases.append(case)
  lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
  path = pathlib.Path(__file__).parent / "logit_rules.json"
  path.write_text("[\n" + lines + "\n]\n")


if __name__ == "__main__":
  main()
