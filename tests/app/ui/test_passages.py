import re

from locisimiles import Segment
from locisimiles.app.ui.passages import copy_buttons, marked, passage
from locisimiles.app.ui.translator import Translator

ENGLISH = Translator("en")
VERSE = Segment("a", "Arma uirumque / Italiam <b> / litora", locus="1.9-1.11")


def spans(text, *words):
    return [(text.index(word), text.index(word) + len(word)) for word in words]


def test_lines_of_verse_have_numbers_and_quoted_ones_are_marked():
    html = passage(VERSE, spans(VERSE.text, "Italiam"), translate=ENGLISH)
    assert re.findall(r'class="line-number">(\d+)<', html) == ["9", "10", "11"]
    assert html.count("verse-line quoted") == 1
    assert '<mark class="w0 u0" data-n="1">Italiam</mark> &lt;b&gt;' in html


def test_words_to_look_up_are_wrapped_and_escaped():
    text = "Arma <i> uir[um]que & cano"
    html = passage(Segment("a", text), spans(text, "cano"), translate=ENGLISH, words=True)
    found = re.findall(r'<span class="word" tabindex="-1">([^<]*)</span>', html)
    assert found == ["Arma", "i", "uir[um]que", "cano"]
    assert "<i>" not in html
    assert 'data-n="1"><span class="word" tabindex="-1">cano</span></mark>' in html


def test_in_a_poem_a_line_alone_is_a_line_and_the_first_has_its_whole_locus():
    alone = passage(Segment("a", "Arma", locus="1.9"), [], translate=ENGLISH, verse=True)
    several = passage(VERSE, [], translate=ENGLISH, verse=True)
    numbers = [re.findall(r'class="line-number">([^<]*)<', html) for html in (alone, several)]
    assert numbers == [["1.9"], ["1.9", "10", "11"]]


def test_lines_without_known_numbers_get_none():
    segment = Segment("a", VERSE.text, locus="1.9")
    html = passage(segment, [], translate=ENGLISH)
    assert html.count('class="line-number"></span>') == 3


def test_forty_words_have_forty_marks():
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]
    text = " ".join(words)
    html = marked(text, spans(text, *words))
    marks = re.findall(r'<mark class="(w\d u\d)" data-n="(\d+)">', html)
    assert len(set(marks)) == len({style for style, _ in marks}) == 40


def test_a_passage_can_be_copied_in_three_forms():
    html = copy_buttons("source", 7, ENGLISH)
    assert re.findall(r'data-form="(\w+)"', html) == ["text", "bibtex", "urn"]
    assert html.count('data-position="7"') == 3
