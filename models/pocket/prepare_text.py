# SPDX-License-Identifier: Apache-2.0
"""Turns the raw public-domain texts into one clean training file.

Input is what fetch_text.sh gets from the Debian packages: the Bible with one
verse a line, and the novels with one printed line a line. Output is UTF-8 prose:
a chapter is a document, documents are separated by a line that holds only a
form feed, paragraphs by an empty line, and a paragraph is one line. No verse
numbers, no headings, no typesetting marks.
"""

import argparse
import pathlib
import re

DOCUMENT_SEPARATOR = "\n\f\n"

# A Bible paragraph ends with the first sentence end after this many characters:
# the text itself knows only verses and chapters.
PARAGRAPH_CHARS = 400

_VERSE = re.compile(r"^(?P<book>[0-9]?[A-Za-z]+)(?P<chapter>[0-9]+):[0-9]+ (?P<text>.*)$")
_CHAPTER_HEADING = re.compile(r"^\s*chapter\s+([0-9]+|[ivxlc]+)\.?\s*$", re.IGNORECASE)
_APPENDIX = "A NOTE ON THE TEXT"
_NO_PROSE = re.compile(r"^(volume [ivx]+|the end|finis|end of .*)\W*$", re.IGNORECASE)


def tidy(text):
    """One line, single spaces, and none of the marks of a plain-text edition."""
    text = re.sub(r"\[[^\]]*\]", " ", text)  # editor's notes
    text = text.replace("_", "").replace("*", "")
    return re.sub(r"\s+", " ", text).strip()


def bible_documents(lines):
    """Yields one document a chapter from lines like `Ge1:1 In the beginning`."""
    chapter, paragraphs, verses = None, [], []
    for line in lines:
        match = _VERSE.match(line)
        if match is None:
            raise ValueError(f"not a verse: {line[:60]!r}")
        if chapter not in (None, match.group("book", "chapter")):
            yield _join(paragraphs, verses)
            paragraphs, verses = [], []
        chapter = match.group("book", "chapter")
        verses.append(tidy(match.group("text")))
        long_enough = sum(map(len, verses)) >= PARAGRAPH_CHARS
        if long_enough and verses[-1].endswith((".", "?", "!")):
            paragraphs.append(" ".join(verses))
            verses = []
    yield _join(paragraphs, verses)


def _join(paragraphs, verses):
    return "\n\n".join(paragraphs + ([" ".join(verses)] if verses else []))


def novel_documents(lines):
    """Yields one document a chapter from lines like `Emma<tab>text`.

    What stands before a novel's first chapter (title, year) or after its last is
    dropped.
    """
    title, chapter, paragraph = None, None, []
    for line in lines:
        book, _, text = line.partition("\t")
        outside = book != title or text == _APPENDIX
        if outside or _CHAPTER_HEADING.match(text):
            if chapter is not None:
                yield _close(chapter, paragraph)
            title, chapter = book, None if outside else []
            paragraph = []
        elif chapter is not None and text.strip():
            paragraph.append(text)
        elif chapter is not None:
            _flush(chapter, paragraph)
            paragraph = []
    if chapter is not None:
        yield _close(chapter, paragraph)


def _flush(chapter, paragraph):
    text = tidy(" ".join(paragraph))
    if text and not _NO_PROSE.match(text):
        chapter.append(text)


def _close(chapter, paragraph):
    _flush(chapter, paragraph)
    return "\n\n".join(chapter)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bible", type=pathlib.Path, required=True)
    parser.add_argument("--novels", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()

    bible = list(bible_documents(args.bible.read_text("utf-8").splitlines()))
    novels = list(novel_documents(args.novels.read_text("utf-8").splitlines()))
    documents = [document for document in bible + novels if document]
    args.out.write_text(DOCUMENT_SEPARATOR.join(documents) + "\n", "utf-8")
    size = args.out.stat().st_size
    print(f"{args.out}: {len(bible)} + {len(novels)} chapters, {size} bytes")


if __name__ == "__main__":
    main()
