"""The subset of the protocol buffers wire format that SCIP needs: numbers, texts and messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10

Field = tuple[int, int | bytes]


class Malformed(ValueError):
    """The bytes are not a valid message."""


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number_field(field: int, number: int) -> bytes:
    """Empty for 0, the default of a missing field."""
    return varint(field << 3 | _VARINT) + varint(number) if number else b""


def bytes_field(field: int, data: bytes) -> bytes:
    return varint(field << 3 | _LENGTH) + varint(len(data)) + data


def text_field(field: int, text: str) -> bytes:
    return bytes_field(field, text.encode()) if text else b""


def numbers_field(field: int, numbers: Iterable[int]) -> bytes:
    return bytes_field(field, b"".join(map(varint, numbers)))


def fields(data: bytes) -> Iterator[Field]:
    """The fields of a message in order, uninterpreted."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if kind == _LENGTH:
            size, at = _varint(data, at)
        elif kind in (_FIXED64, _FIXED32):
            size = 8 if kind == _FIXED64 else 4
        else:
            raise Malformed("an unknown kind of field")
        if at + size > len(data):
            raise Malformed("truncated")
        yield key >> 3, data[at : at + size]
        at += size


def numbers(data: int | bytes) -> list[int]:
    """A packed list, or one element of an unpacked one."""
    if isinstance(data, int):
        return [data]
    found: list[int] = []
    at = 0
    while at < len(data):
        number, at = _varint(data, at)
        found.append(number)
    return found


def text(value: int | bytes) -> str:
    if isinstance(value, int):
        raise Malformed("a number where a text belongs")
    return value.decode(errors="replace")


def message(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise Malformed("a number where a message belongs")
    return value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(_LONGEST_VARINT):
        if at >= len(data):
            raise Malformed("truncated")
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:
            return number, at
    raise Malformed("an overlong number")
