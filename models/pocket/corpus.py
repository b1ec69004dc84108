# SPDX-License-Identifier: Apache-2.0
"""The training text: reading it, splitting it, and drawing windows from it."""

import dataclasses
import gzip
import pathlib

import torch

from prepare_text import DOCUMENT_SEPARATOR

# One document in this many is held out for validation.
VALIDATION_STRIDE = 20


def read_documents(path):
    """The documents of a file written by prepare_text.py, gzipped or not."""
    data = pathlib.Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.decode("utf-8").strip("\n").split(DOCUMENT_SEPARATOR)


def split_documents(documents):
    """(training documents, validation documents), always the same ones."""
    validation = documents[::VALIDATION_STRIDE]
    training = [d for i, d in enumerate(documents) if i % VALIDATION_STRIDE]
    return training, validation


@dataclasses.dataclass
class TokenStream:
    """Documents laid end to end as token ids, each as `BOS ... EOS`.

    tokens: i64 [T].
    starts: i64 [P], the positions at which a paragraph starts.
    """

    tokens: torch.Tensor
    starts: torch.Tensor
    bos: int

    @classmethod
    def from_documents(cls, documents, tokenizer, bos, eos):
        """Encodes paragraph by paragraph.

        The empty line belongs to the paragraph before it, as the tokenizer's
        split has it: punctuation takes the newlines that follow it.
        """
        tokens, starts = [], []
        for document in documents:
            tokens.append(bos)
            paragraphs = document.split("\n\n")
            for i, paragraph in enumerate(paragraphs):
                end = "\n\n" if i + 1 < len(paragraphs) else ""
                starts.append(len(tokens))
                encoding = tokenizer.encode(paragraph + end, add_special_tokens=False)
                tokens.extend(encoding.ids)
            tokens.append(eos)
        return cls(torch.tensor(tokens), torch.tensor(starts), bos)

    def to(self, device):
        return TokenStream(self.tokens.to(device), self.starts.to(device), self.bos)

    def sample(self, batch, length, generator):
        """Random windows: (inputs, targets), both i64 [batch, length].

        A window is BOS and what follows the start of a paragraph, because that
        is how a prompt reaches the model: at position 0, after a BOS.
        """
        device = self.starts.device
        pick = torch.randint(self.starts.numel(), (batch,), generator=generator, device=device)
        first = self.starts[pick].clamp(max=self.tokens.numel() - length)
        return self._windows(first, length)

    def in_order(self, batch, length):
        """Yields batches of windows that cover the stream once, without overlap."""
        first = torch.arange(0, self.tokens.numel() - length, length, device=self.tokens.device)
        for part in first.split(batch):
            yield self._windows(part, length)

    def _windows(self, first, length):
        offsets = torch.arange(length, device=first.device)
        targets = self.tokens[first[:, None] + offsets]
        inputs = torch.cat([torch.full_like(first[:, None], self.bos), targets[:, :-1]], dim=1)
        return inputs, targets
