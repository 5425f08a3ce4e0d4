"""What shared words mean in English."""

from locisimiles.evidence.glosses import find_glosses


def test_the_first_senses_of_the_commonest_entry_are_given():
    found = find_glosses(["uox", "nescioquid", "uox"])
    assert list(found) == ["uox"]
    assert found["uox"][0].startswith("voice")
    assert len(found["uox"]) <= 3
