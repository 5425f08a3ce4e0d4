"""Learning rates."""

from hypothesis import given
from hypothesis import strategies as st

from locisimiles.train.common.optimization import rate_share


@given(st.integers(1, 200), st.data())
def test_the_rate_rises_then_falls_and_is_never_zero(steps, data):
    warm_up = data.draw(st.integers(0, steps))
    shares = [rate_share(step, steps, warm_up) for step in range(steps)]
    assert all(0 < share <= 1 for share in shares)
    top = shares.index(max(shares))
    assert shares[: top + 1] == sorted(shares[: top + 1])
    assert shares[top:] == sorted(shares[top:], reverse=True)
