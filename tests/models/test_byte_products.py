"""Products of bytes: whole numbers, whatever the processor, equal to NumPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.models import byte_products
from locisimiles.models.byte_products import ByteProducts, _is_exact, _kernel, _never_overflows


def drawn(shape, seed, *, lowest=-128, highest=127):
    return np.random.default_rng(seed).integers(lowest, highest + 1, shape).astype(np.int8)


def plainly(rows, vectors):
    return rows.astype(np.int64) @ vectors.astype(np.int64).T


@given(
    sizes=st.tuples(st.integers(0, 70), st.integers(1, 140), st.integers(1, 50)),
    highest=st.sampled_from([1, 20, 64, 127]),
    seed=st.integers(0, 999),
)
def test_products_are_exact(sizes, highest, seed):
    height, depth, width = sizes
    vectors = drawn((width, depth), seed, lowest=-highest, highest=highest)
    rows = drawn((height, depth), seed + 1)
    products = ByteProducts(vectors)
    found = products.of(rows)
    assert found.dtype == np.float32
    assert found.shape == (height, width)
    assert np.array_equal(found, plainly(rows, vectors))
    some = np.arange(width)[::-3]
    assert np.array_equal(products.of(rows, some), found[:, some])


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_largest_bytes_that_a_kernel_gets_are_exact(sign):
    rows = np.repeat(np.array([[127], [-128]], np.int8), 128, axis=1)
    vectors = np.full((3, 128), 64 * sign, np.int8)
    assert _never_overflows(vectors)
    assert np.array_equal(ByteProducts(vectors).of(rows), plainly(rows, vectors))


def test_no_two_bytes_that_a_kernel_gets_overflow_16_bits():
    # On old processors, a kernel adds two products of unsigned with signed bytes in 16 bits.
    for pair in [(127, 1), (64, 64), (-128, 0), (100, -28)]:
        vectors = np.array([[0, pair[0], 0, 0, pair[1], 0]], np.int8)
        assert _never_overflows(vectors)
        assert 255 * sum(map(abs, pair)) < 2**15
    for pair in [(127, 2), (65, 64), (-128, 1), (-128, -128)]:
        vectors = np.array([[1, 0, 0], [0, pair[0], pair[1]]], np.int8)
        assert not _never_overflows(vectors)


def test_larger_bytes_are_multiplied_by_numpy(monkeypatch):
    asked = []
    monkeypatch.setattr(byte_products, "_kernel", lambda: asked.append("kernel"))
    rows, large = drawn((9, 40), 1), drawn((3, 40), 2, lowest=65)
    assert np.array_equal(ByteProducts(large).of(rows), plainly(rows, large))
    assert not asked
    # Nor are others, where there is no kernel.
    small = drawn((3, 40), 2, lowest=-64, highest=64)
    assert np.array_equal(ByteProducts(small).of(rows), plainly(rows, small))
    assert asked


def test_the_kernel_is_used_where_it_is_exact():
    assert _kernel() is not None


def test_a_kernel_that_overflows_is_not_used():
    def saturated(rows, columns):
        """Multiply as processors without instructions for whole numbers do it."""
        shifted = rows.astype(np.int64) + 128
        products = shifted[:, :, None] * columns.astype(np.int64)
        pairs = products[:, 0::2] + products[:, 1::2]
        total = np.clip(pairs, -(2**15), 2**15 - 1).sum(axis=1)
        return (total - 128 * columns.astype(np.int64).sum(axis=0)).astype(np.float32)

    def wrong(rows, columns):
        return saturated(rows, columns) + 1

    # What it is asked to do never overflows, so even such a kernel is exact.
    assert _is_exact(saturated)
    assert not _is_exact(wrong)
    # Larger bytes would overflow:
    rows, vectors = np.full((1, 4), 127, np.int8), np.full((1, 4), 100, np.int8)
    assert saturated(rows, vectors.T)[0, 0] != plainly(rows, vectors)[0, 0]
    assert not _never_overflows(vectors)
