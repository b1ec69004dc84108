# SPDX-License-Identifier: Apache-2.0
"""Trains the pocket Llama and writes it in the Hugging Face format.

    train_llama.py --text TEXT --out DIR [--steps 3000] [--seed 1] [--dropout 0.2]

TEXT is what fetch_text.sh writes, gzipped or not. DIR gets config.json,
model.safetensors (float16), tokenizer.json, tokenizer_config.json and
generation_config.json. Minutes on a large GPU, days on a CPU. What is written is
the moving average of the weights at the step whose validation loss was lowest.
"""

import argparse
import copy
import json
import math
import pathlib
import time

from safetensors.torch import save_file
import torch
from torch.nn import functional
from transformers import LlamaConfig, LlamaForCausalLM

from corpus import TokenStream, read_documents, split_documents
from tokenizer import BOS, EOS, save_tokenizer, train_tokenizer

VOCAB = 2048
CONTEXT = 512

# The model, in the words of a config.json as Llama 3 checkpoints have it.
ARCHITECTURE = {
    "architectures": ["LlamaForCausalLM"],
    "attention_bias": False,
    "head_dim": 32,
    "hidden_act": "silu",
    "hidden_size": 192,
    "initializer_range": 0.02,
    "intermediate_size": 640,
    "max_position_embeddings": CONTEXT,
    "mlp_bias": False,
    "model_type": "llama",
    "num_attention_heads": 6,
    "num_hidden_layers": 6,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-5,
    "rope_scaling": None,
    "rope_theta": 10000.0,
    "tie_word_embeddings": True,
    "torch_dtype": "float16",
    "use_cache": True,
    "vocab_size": VOCAB,
}


def build_model(bos, eos):
    """(model with random weights, its config.json as a dictionary)."""
    config = {**ARCHITECTURE, "bos_token_id": bos, "eos_token_id": eos}
    model = LlamaForCausalLM(LlamaConfig(**{**config, "torch_dtype": "float32"}))
    return model, config


def add_dropout(model, rate):
    """Dropout on the embedding and on every branch, while training."""

    def drop(module, _, output):
        return functional.dropout(output, rate, module.training)

    model.model.embed_tokens.register_forward_hook(drop)
    for layer in model.model.layers:
        layer.self_attn.o_proj.register_forward_hook(drop)
        layer.mlp.down_proj.register_forward_hook(drop)


def make_optimizer(model, weight_decay):
    """AdamW that decays matrices and leaves norms alone."""
    matrices = [p for p in model.parameters() if p.ndim >= 2]
    vectors = [p for p in model.parameters() if p.ndim < 2]
    groups = [
        {"params": matrices, "weight_decay": weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.95), fused=matrices[0].is_cuda)


def learning_rate(step, steps, peak, warmup=200):
    """Linear warm-up, then a cosine down to a hundredth of the peak."""
    if step < warmup:
        return peak * (step + 1) / warmup
    progress = (step - warmup) / max(1, steps - warmup)
    return peak * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * progress)))


def loss_of(model, inputs, targets):
    """Mean cross entropy in nats a token."""
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=inputs.is_cuda):
        logits = model(input_ids=inputs, use_cache=False).logits
    return functional.cross_entropy(logits.float().flatten(0, 1), targets.flatten())


@torch.no_grad()
def evaluate(model, stream, batch):
    """The loss over a whole stream, in nats a token."""
    training = model.training
    model.eval()
    total, count = 0.0, 0
    for inputs, targets in stream.in_order(batch, CONTEXT):
        total += loss_of(model, inputs, targets).item() * targets.numel()
        count += targets.numel()
    model.train(training)
    return total / count


@torch.no_grad()
def update_average(average, model, decay):
    """average = decay * average + (1 - decay) * model, tensor by tensor."""
    targets, sources = list(average.parameters()), list(model.parameters())
    torch._foreach_lerp_(targets, sources, 1.0 - decay)


def train(model, training, validation, args):
    """Trains in place; returns (best state dictionary, log of losses)."""
    device = training.tokens.device
    generator = torch.Generator(device).manual_seed(args.seed)
    optimizer = make_optimizer(model, args.weight_decay)
    average = copy.deepcopy(model).eval()
    add_dropout(model, args.dropout)
    best, best_loss, log, start = None, math.inf, [], time.monotonic()
    running = torch.zeros((), device=device)
    model.train()
    for step in range(args.steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, args.steps, args.lr)
        loss = loss_of(model, *training.sample(args.batch, CONTEXT, generator))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        update_average(average, model, min(0.998, (step + 1) / (step + 10)))
        running += loss.detach()
        if (step + 1) % args.report == 0 or step + 1 == args.steps:
            window = (step % args.report) + 1
            validation_loss = evaluate(average, validation, args.batch)
            log.append((step + 1, running.item() / window, validation_loss))
            running.zero_()
            seconds = time.monotonic() - start
            print(f"step {step + 1}: train {log[-1][1]:.4f} (with dropout), "
                  f"validation {validation_loss:.4f}, {seconds:.0f} s", flush=True)
            if validation_loss < best_loss:
                best_loss, best = validation_loss, copy.deepcopy(average.state_dict())
    return best, log


def save_model(state, config, folder):
    """Writes config.json, generation_config.json and the weights as float16."""
    tensors = {
        name: tensor.to("cpu", torch.float16).contiguous()
        for name, tensor in state.items()
        if name != "lm_head.weight"  # tied to the embedding
    }
    save_file(tensors, str(folder / "model.safetensors"), metadata={"format": "pt"})
    generation = {
        "bos_token_id": config["bos_token_id"],
        "do_sample": True,
        "eos_token_id": [config["eos_token_id"]],
        "temperature": 0.8,
        "top_p": 0.95,
    }
    for name, value in (("config.json", config), ("generation_config.json", generation)):
        (folder / name).write_text(json.dumps(value, indent=2) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--text", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=64, help="windows a step")
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--weight-decay", type=float, default=0.1)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=250, help="steps between validations")
    return parser.parse_args()


def main():
    args = parse_arguments()
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    args.out.mkdir(parents=True, exist_ok=True)

    training_text, validation_text = split_documents(read_documents(args.text))
    tokenizer = train_tokenizer(training_text, VOCAB)
    save_tokenizer(tokenizer, args.out, CONTEXT)
    bos, eos = tokenizer.token_to_id(BOS), tokenizer.token_to_id(EOS)
    training = TokenStream.from_documents(training_text, tokenizer, bos, eos).to(device)
    validation = TokenStream.from_documents(validation_text, tokenizer, bos, eos).to(device)
    print(f"{training.tokens.numel()} training tokens, {validation.tokens.numel()} for validation")

    model, config = build_model(bos, eos)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, on {device}", flush=True)
    state, log = train(model.to(device), training, validation, args)
    save_model(state, config, args.out)

    # The losses that the README states: of the file as written, without dropout.
    written = LlamaForCausalLM.from_pretrained(args.out, dtype=torch.float32).to(device).eval()
    final = {
        "train": evaluate(written, training, args.batch),
        "validation": evaluate(written, validation, args.batch),
        "best_step": min(log, key=lambda entry: entry[2])[0],
    }
    print(f"written model: {json.dumps(final)}")


if __name__ == "__main__":
    main()
