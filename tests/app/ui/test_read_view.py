"""Which candidates are named beneath others in *Read*."""

from hypothesis import given
from hypothesis import strategies as st

from locisimiles.app.ui.read_view import rows_beneath

IDS = "abcd"
ROWS = st.lists(
    st.tuples(st.sampled_from(IDS), st.sampled_from(["", *IDS, "e"])),
    unique_by=lambda pair: pair[0],
).map(
    lambda pairs: [
        {"row": number, "source_id": own, "parallel_to": other}
        for number, (own, other) in enumerate(pairs)
    ]
)


@given(ROWS, st.integers(0, 3))
def test_each_candidate_is_shown_once_however_they_refer_to_each_other(rows, chosen):
    beneath = rows_beneath(rows, chosen)
    own = [row for row in rows if row not in beneath.get(row["parallel_to"], ())]
    shown = [*own, *(one for row in own for one in beneath.get(row["source_id"], ()))]
    assert sorted(row["row"] for row in shown) == [row["row"] for row in rows]
    assert chosen in [row["row"] for row in own] or chosen >= len(rows)
