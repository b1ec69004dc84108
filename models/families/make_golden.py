# SPDX-License-Identifier: Apache-2.0
"""Writes the golden files of the families: what Hugging Face computes.

    make_golden.py models/families [FAMILY ...]

For each family a model of a few thousand parameters with random weights, whose
config turns on everything that the family has and Llama has not, scaled down
until it bites: windows shorter than the prompt, soft caps within the range of
the scores. In FAMILY/golden/:

config.json, model.safetensors: the checkpoint, as transformers saves it, with
float16 weights.
prompts.json, prompts_<name>.npy: as models/pocket/make_golden.py describes its
llama.json.

The weights are the file's float16, all arithmetic is f32 on the CPU with eager
attention and without a key-value cache.
"""

import argparse
import json
import math
import pathlib

import numpy
import torch
import transformers

VOCABULARY = 61
PROMPTS = [("short", 5), ("long", 23)]
GREEDY_TOKENS = 8

# What all the models share. Heads are not hidden_size / heads wide.
SIZES = dict(
    vocab_size=VOCABULARY,
    hidden_size=24,
    intermediate_size=44,
    num_hidden_layers=3,
    num_attention_heads=4,
    num_key_value_heads=2,
    head_dim=8,
    max_position_embeddings=64,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)


def llama():
    """Biases everywhere, and YaRN."""
    rope = dict(
        rope_type="yarn",
        rope_theta=10000.0,
        factor=4.0,
        original_max_position_embeddings=16,
    )
    return transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            **SIZES, attention_bias=True, mlp_bias=True, rope_parameters=rope
        )
    )


def qwen2():
    # This family has no head_dim of its own.
    sizes = {**SIZES, "hidden_size": 32}
    del sizes["head_dim"]
    return transformers.Qwen2ForCausalLM(
        transformers.Qwen2Config(**sizes, tie_word_embeddings=True)
    )


def qwen3():
    return transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**SIZES))


def gemma():
    return transformers.GemmaForCausalLM(
        transformers.GemmaConfig(**{**SIZES, "num_key_value_heads": 1})
    )


def gemma2():
    return transformers.Gemma2ForCausalLM(
        transformers.Gemma2Config(
            **SIZES,
            sliding_window=6,
            query_pre_attn_scalar=12,
            attn_logit_softcapping=2.0,
            final_logit_softcapping=6.0,
        )
    )


def gemma3():
    return transformers.Gemma3ForCausalLM(
        transformers.Gemma3TextConfig(
            **{**SIZES, "num_hidden_layers": 4},
            sliding_window=6,
            query_pre_attn_scalar=12,
            layer_types=["sliding_attention"] * 3 + ["full_attention"],
        )
    )


FAMILIES = dict(
    llama=llama, qwen2=qwen2, qwen3=qwen3, gemma=gemma, gemma2=gemma2, gemma3=gemma3
)


@torch.no_grad()
def randomise(model, seed):
    """Weights that keep activations their size, and norms and biases that show."""
    random = torch.Generator().manual_seed(seed)
    for name, weight in model.named_parameters():
        noise = torch.randn(weight.shape, generator=random)
        if name.endswith("norm.weight"):
            # Around what the module starts from: 1, or 0 where it adds the 1.
            noise = weight.mean() + 0.2 * noise
        elif name.endswith("bias"):
            noise = 0.3 * noise
        elif "embed_tokens" in name:
            noise = 0.3 * noise
        else:
            noise = 1.3 * noise / math.sqrt(weight.shape[1])
        weight.copy_(noise.half().float())


def round_embedding_scale(model):
    """The scale as transformers rounds it for weights of the file's type."""
    embedding = model.model.embed_tokens
    if hasattr(embedding, "embed_scale"):
        embedding.embed_scale = embedding.embed_scale.half().float()


@torch.no_grad()
def logits_of(model, ids):
    """f32 [positions, vocabulary]."""
    return model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]


def greedy(model, ids):
    ids, new, margins = list(ids), [], []
    for _ in range(GREEDY_TOKENS):
        best = torch.topk(logits_of(model, ids)[-1], 2)
        new.append(int(best.indices[0]))
        margins.append(round(float(best.values[0] - best.values[1]), 6))
        ids.append(new[-1])
    return new, margins


def prompt_entry(model, name, length, folder):
    ids = [1] + [(7 * i * i + 3 * i + 5) % VOCABULARY for i in range(1, length)]
    logits = logits_of(model, ids).numpy()
    file = f"prompts_{name}.npy"
    numpy.save(folder / file, numpy.ascontiguousarray(logits, numpy.float32))
    new, margins = greedy(model, ids)
    return {
        "name": name,
        "token_ids": ids,
        "logits": file,
        "first_position": 0,
        "greedy_ids": new,
        "greedy_margins": margins,
    }


def write(family, folder):
    folder.mkdir(parents=True, exist_ok=True)
    model = FAMILIES[family]().eval()
    model.set_attn_implementation("eager")
    randomise(model, seed=len(family))
    round_embedding_scale(model)
    prompts = [prompt_entry(model, *prompt, folder) for prompt in PROMPTS]
    model.half().save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    made_with = {m.__name__: m.__version__ for m in (transformers, numpy)}
    made_with["torch"] = str(torch.__version__).split("+")[0]
    text = json.dumps({"made_with": made_with, "prompts": prompts}, indent=1)
    (folder / "prompts.json").write_text(text + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("families", nargs="*", default=list(FAMILIES))
    args = parser.parse_args()
    torch.set_num_threads(1)
    for family in args.families:
        write(family, args.out / family / "golden")


if __name__ == "__main__":
    main()
