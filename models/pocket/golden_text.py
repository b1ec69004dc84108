# SPDX-License-Identifier: Apache-2.0
"""The texts of the golden files: prompts for the model, and awkward text."""

# About 150 tokens: longer than two prefill chunks of 64, and no multiple of one.
LONG_PROMPT = (
    "The morning was fair, and the whole party set out together for the hill. Mrs. Weston had "
    "been so good as to send the carriage, and Miss Bates, who was never silent long, talked of "
    "the weather, of the cold ham, and of her niece's letter, till they came within sight of the "
    'house. "How very obliging!" she cried; "I declare I never saw such a prospect in all my '
    'life." Mr. Knightley made her no answer. He was looking another way, and thinking, as it '
    "seemed, of something else. When they had walked about for half an hour, and every thing had "
    "been admired, the gentlemen proposed to go down to the river; but"
)

# (name, text); a BOS is added to each.
PROMPTS = (
    ("bos_only", ""),
    ("one_word", "Emma"),
    ("short", "In the beginning"),
    ("awkward", " \u00c9lo\u00efse\tdidn't pay \u00a31,250;\n\n  she'LL   go\u2014\U0001f642!"),
    ("long", LONG_PROMPT),
)

_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"

TOKENIZER_TEXTS = (
    "",
    " ",
    "  ",
    "       ",
    "a",
    " a",
    "a ",
    "a  b   c    d",
    "   leading and trailing   ",
    "\n",
    "\n\n\n",
    "line\nline\r\nline\rline",
    "end.\n\nStart",
    "spaces before newline   \n   and after",
    " \n \n ",
    "\t",
    "\ttab\t\ttabs",
    "a\u00a0b\u2003c\u3000d",  # no-break, em and ideographic spaces
    "\u2028line separator\u2029",
    "\x0b\x0c\x1c\x85",  # white space of other kinds
    "1",
    "12",
    "123",
    "1234",
    "12345678901234567890",
    "3.14159, 1,000,000 and -42",
    "\u00bd\u2163\u0663\u0967\u00b2",  # fraction, Roman, Arabic, Devanagari, superscript
    "v2.0-rc1",
    "don't I'm you're we've they'll he'd it's",
    "DON'T I'M YOU'RE WE'VE THEY'LL HE'D IT'S",
    "Don'T i'M 'tis 's 'S ''s 'lL 'x",
    "don\u2019t it\u2019s",
    "\u017f'\u017f 'S\u017f",  # long s folds to s
    "!!! ??? ...",
    " !?\n\n.",
    "(parens) [brackets] {braces} <angles>",
    "a_b_c __init__ snake_case",
    "http://example.com/?q=1&r=2#top",
    "if (x == 0) { return; }\n\treturn -1;\n",
    "\u00e9\u00e8\u00ea\u00eb \u00fc\u00f6\u00e4\u00df \u00e7\u00f1",
    "e\u0301 a\u0300 o\u0308 n\u0303",  # combining marks after letters
    "\u0301\u0301 \u0301a",  # combining marks with nothing before
    "Z\u0351\u036b\u0343\u036a\u0302a\u0348\u034a\u033cl\u0321\u0353go",
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002",
    "\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8 \ud55c\uad6d\uc5b4",
    "\u0627\u0644\u0633\u0644\u0627\u0645 \u0639\u0644\u064a\u0643\u0645",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "\U0001f642",
    "\U0001f642\U0001f642 \U0001f642",
    _FAMILY + " family",
    "\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1ea",  # flags
    "\U0001f44d\U0001f3fd ok\u2764\ufe0f",  # skin tone, variation selector
    "\U0001d4d7\U0001d4ee\U0001d4f5\U0001d4f5\U0001d4f8",  # mathematical letters
    "\ufffd",
    "a\ufffd\ufffdb\ufffd",  # what invalid bytes are replaced with
    "\ufeffbyte order mark",
    "zero\u200bwidth\u200djoiner",
    "nul\x00byte \x01\x7f",
    "\u202eright to left\u202c",
    "\uffff\U0010ffff",
    "<|begin_of_text|>",
    "before<|end_of_text|>after",
    " <|end_of_text|> ",
    "<|begin_of_text|",
    "<|BEGIN_OF_TEXT|>",
    "In the beginning God created the heaven and the earth.",
    "It is a truth universally acknowledged, that a single man in possession of a good fortune",
    "supercalifragilisticexpialidocious",
    "a" * 100,
    "ab" * 50,
    "=" * 70,
)
