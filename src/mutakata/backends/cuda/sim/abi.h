// What the kernel's translation unit, the runtime and Python (launch.py) agree on. Plain data only.
#pragma once
#include <cstdint>

namespace cusim {

struct Index { unsigned x, y, z; };

// Barriers of the block come before operations of the warp: the order is used.
enum Op : int { SYNC, SYNC_OR, SYNC_AND, SYNC_COUNT, WARP_SYNC, SHUFFLE, BALLOT };

// Where a barrier, shuffle or vote stands in the user's text.
struct Site { const char* op; const char* file; int line; };

// Keep in step with KINDS in faults.py.
enum Kind : int {
    NONE, OUT_OF_BOUNDS, RACE, BLOCK_RACE, UNWRITTEN_SHARED, DIVERGENT_BARRIER, WARP_MASK,
    ENDLESS_LOOP, MISALIGNED, LAUNCH, ASSERTION, DIVISION_BY_ZERO, TRAP,
};

enum Access : int { READ = 0, WRITE = 1, ATOMIC = 2 };

// One thread that takes part in a fault: `pc` is an offset into the library, 0 when `line` says where.
struct Party {
    unsigned block[3];
    int thread;                    // linear in the block, -1 when there is none
    int access;
    int line;
    const char* file;
    const char* op;
    uint64_t pc;
};

struct Report {
    int kind, size, shared, element;   // size: bytes of the access; element: bytes of the buffer's element
    int64_t offset, bytes;             // of the access in its buffer, and of the buffer
    int64_t a, b;                      // numbers whose meaning depends on the kind
    const char* name;                  // the buffer's name
    const char* text;                  // free text: a failed assertion
    Party me, other;
};

}  // namespace cusim
