// Faults that the compiler's other checks find: array indices, alignment, division, assertions, and the count
// of basic blocks that ends an endless loop.
#include <cstdint>
#include <cstring>

#include "runtime.h"

namespace cusim {
namespace {

struct SourceLocation { const char* file; uint32_t line, column; };
struct TypeDescriptor { uint16_t kind, info; char name[1]; };
struct IndexData { SourceLocation where; TypeDescriptor *array, *index; };
struct PointerData { SourceLocation where; TypeDescriptor* type; uint8_t log2_alignment, access; };
struct ArithmeticData { SourceLocation where; TypeDescriptor* type; };

void at(const SourceLocation& where, Kind kind, int64_t a, int64_t b, const char* text) {
    if (current < 0) return;
    report.me = party(current);
    report.me.line = (int)where.line; report.me.file = where.file;
    fault(kind, nullptr, a, b, text);
}

}  // namespace

extern "C" {

void __sanitizer_cov_trace_pc() {
    if (__builtin_expect(--fuel != 0, 1) || current < 0) return;
    fault(ENDLESS_LOOP, __builtin_return_address(0));
}

void __ubsan_handle_out_of_bounds(IndexData* d, uintptr_t index) {
    report.name = d->array->name;
    at(d->where, OUT_OF_BOUNDS, (int64_t)(intptr_t)index, 1, "index");
}
void __ubsan_handle_type_mismatch_v1(PointerData* d, uintptr_t address) {
    report.name = d->type->name;
    at(d->where, MISALIGNED, (int64_t)address, 1ll << d->log2_alignment, nullptr);
}
void __ubsan_handle_divrem_overflow(ArithmeticData* d, uintptr_t, uintptr_t divisor) {
    at(d->where, DIVISION_BY_ZERO, (int64_t)divisor, 0, nullptr);
}

[[noreturn]] void cusim_assertion(const char* condition, const char* file, int line) {
    SourceLocation where{file, (uint32_t)line, 0};
    at(where, ASSERTION, 0, 0, condition);
    __builtin_unreachable();
}
[[noreturn]] void cusim_trap(const char* file, int line) {
    SourceLocation where{file, (uint32_t)line, 0};
    at(where, TRAP, 0, 0, nullptr);
    __builtin_unreachable();
}

}  // extern "C"
}  // namespace cusim
