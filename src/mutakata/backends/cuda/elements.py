"""The types a kernel's parameter may have, and what fits them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Element:
    """A C++ type: the NumPy name of its component, bytes of the component, components."""

    dtype: str
    bytes: int
    lanes: int = 1

    @property
    def size(self) -> int:
        return self.bytes * self.lanes


_SCALARS = {
    "bool": Element("bool", 1),
    "char": Element("int8", 1),
    "signed char": Element("int8", 1),
    "unsigned char": Element("uint8", 1),
    "int8_t": Element("int8", 1),
    "uint8_t": Element("uint8", 1),
    "short": Element("int16", 2),
    "unsigned short": Element("uint16", 2),
    "int16_t": Element("int16", 2),
    "uint16_t": Element("uint16", 2),
    "int": Element("int32", 4),
    "unsigned": Element("uint32", 4),
    "unsigned int": Element("uint32", 4),
    "int32_t": Element("int32", 4),
    "uint32_t": Element("uint32", 4),
    "long": Element("int64", 8),
    "long long": Element("int64", 8),
    "long long int": Element("int64", 8),
    "int64_t": Element("int64", 8),
    "ptrdiff_t": Element("int64", 8),
    "unsigned long": Element("uint64", 8),
    "unsigned long long": Element("uint64", 8),
    "unsigned long long int": Element("uint64", 8),
    "uint64_t": Element("uint64", 8),
    "size_t": Element("uint64", 8),
    "float": Element("float32", 4),
    "double": Element("float64", 8),
    "__half": Element("float16", 2),
    "half": Element("float16", 2),
    "__nv_bfloat16": Element("bfloat16", 2),
    "nv_bfloat16": Element("bfloat16", 2),
    "__half2": Element("float16", 2, 2),
    "half2": Element("float16", 2, 2),
    "__nv_bfloat162": Element("bfloat16", 2, 2),
    "nv_bfloat162": Element("bfloat16", 2, 2),
}
_VECTORS = {
    "char": "char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "float": "float",
    "double": "double",
}

ELEMENTS: dict[str, Element] = _SCALARS | {
    f"{prefix}{n}": Element(_SCALARS[base].dtype, _SCALARS[base].bytes, n)
    for prefix, base in _VECTORS.items()
    for n in (1, 2, 3, 4)
}

ANY_ARRAY = frozenset({"void", "char", "unsigned char"})
"""Pointers to these take an array of any dtype: the kernel gives the bytes their meaning."""
