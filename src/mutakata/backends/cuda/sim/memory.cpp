// Memory of a launch. Every tensor and every shared array lies alone in a window of a huge reserved range,
// so that an address says at once which one was meant, and no stray index reaches a neighbour. Each has
// shadow cells that remember the last write, the last atomic and two readers.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime.h"

namespace cusim {

uint32_t first_serial = 1, serial = 1;

namespace {

constexpr unsigned WINDOWS = 128, FIRST_GLOBAL = 32;   // window 0: dynamic shared; 1 to 31: static shared
constexpr unsigned COARSEST = 4;                       // log2 of the widest access: 16 bytes
constexpr size_t SHARED_LIMIT = 48 << 10;              // bytes a block gets without opting in

struct Who {
    uint32_t block;                                    // serial number of the block, never reused
    uint32_t pc;
    uint32_t epoch;
    uint32_t thread : 10, warp_epoch : 22;
};

struct Cell { Who write, atomic, readers[2]; };

struct Window {
    uintptr_t begin = 0;
    size_t bytes = 0, committed = 0;
    unsigned grain = COARSEST;                         // log2 of the bytes one cell stands for
    bool shared = false, written = false;              // written: not every parameter that shows it is const
    int element = 1;
    const char* name = "";
    const void* key = nullptr;
    void* host = nullptr;
    std::vector<Cell> cells;
};

Window windows[WINDOWS];
unsigned global_count, static_count;
size_t static_bytes, dynamic_bytes;
uintptr_t range_begin, image_begin, image_end;
size_t range_bytes;
unsigned window_shift = 35;                            // 32 GiB: an int32 index of 8-byte elements stays inside

void reserve() {
    for (; window_shift > 22; window_shift--) {
        range_bytes = (size_t)WINDOWS << window_shift;
        void* p = mmap(nullptr, range_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != MAP_FAILED) { range_begin = (uintptr_t)p; return; }
    }
}

uint64_t reserve_stacks() {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* p = mmap(nullptr, 1024 * STACK, PROT_READ | PROT_WRITE, flags, -1, 0);
    return p == MAP_FAILED ? 0 : (uint64_t)p;
}

int find_image(dl_phdr_info* info, size_t, void*) {
    uintptr_t here = (uintptr_t)&find_image, low = ~0ull, high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const auto& h = info->dlpi_phdr[i];
        if (h.p_type != PT_LOAD) continue;
        low = std::min<uintptr_t>(low, info->dlpi_addr + h.p_vaddr);
        high = std::max<uintptr_t>(high, info->dlpi_addr + h.p_vaddr + h.p_memsz);
    }
    if (here < low || here >= high) return 0;
    image_begin = low; image_end = high;
    return 1;
}

uintptr_t open_window(unsigned i, size_t bytes, size_t phase, bool written) {
    Window& w = windows[i];
    uintptr_t middle = range_begin + ((uintptr_t)i << window_shift) + ((uintptr_t)1 << (window_shift - 1));
    size_t need = (phase + bytes + 4095) & ~(size_t)4095;
    if (need > w.committed) { mprotect((void*)middle, need, PROT_READ | PROT_WRITE); w.committed = need; }
    w.begin = middle + phase; w.bytes = bytes; w.grain = COARSEST; w.written = written;
    if (checked && written) w.cells.resize((bytes >> COARSEST) + 1);
    return w.begin;
}

// A narrower access than any before: every cell becomes two, each with what was known of the whole.
void refine(Window& w, uintptr_t offset, size_t n) {
    while (w.grain && ((offset | n) & (((uintptr_t)1 << w.grain) - 1))) {
        size_t old = (w.bytes >> w.grain) + 1;
        w.grain--;
        w.cells.resize(std::max(w.cells.size(), 2 * old));
        for (size_t i = old; i-- > 0;) w.cells[2 * i] = w.cells[2 * i + 1] = w.cells[i];
    }
}

inline __attribute__((always_inline)) bool ordered(const Who& earlier, const Who& me, bool shared) {
    if (earlier.block < first_serial) return true;
    if (earlier.block != me.block) return shared;
    if (earlier.thread == me.thread || earlier.epoch < me.epoch) return true;
    return earlier.thread / 32 == me.thread / 32 && earlier.warp_epoch < me.warp_epoch;
}

void describe(Kind kind, const Window& w, uintptr_t offset, int n, int access, const void* pc) {
    report.name = w.name; report.element = w.element; report.shared = w.shared; report.bytes = (int64_t)w.bytes;
    report.offset = (int64_t)offset; report.size = n; report.me.access = access;
    fault(kind, pc);
}

void race(const Window& w, const Who& earlier, int earlier_access, uintptr_t offset, int n, int access, const void* pc) {
    report.other = Party{{0, 0, 0}, (int)earlier.thread, earlier_access, 0, nullptr, nullptr, earlier.pc};
    locate(earlier.block, report.other.block);
    describe(earlier.block == serial ? RACE : BLOCK_RACE, w, offset, n, access, pc);
}

// Atomics do not race among themselves; everything else that is not ordered does, unless both only read.
inline void touch(Cell& c, const Window& w, const Who& me, uintptr_t offset, int n, int access, const void* pc) {
    if (access != WRITE && w.shared && c.write.block != me.block && c.atomic.block != me.block)
        describe(UNWRITTEN_SHARED, w, offset, n, access, pc);
    if (!ordered(c.write, me, w.shared)) race(w, c.write, WRITE, offset, n, access, pc);
    if (access != ATOMIC && !ordered(c.atomic, me, w.shared)) race(w, c.atomic, ATOMIC, offset, n, access, pc);
    if (access == READ) {
        const Who& first = c.readers[0];
        c.readers[!(first.thread == me.thread && first.block == me.block) && !ordered(first, me, w.shared)] = me;
        return;
    }
    for (const Who& r : c.readers)
        if (!ordered(r, me, w.shared)) race(w, r, READ, offset, n, access, pc);
    (access == ATOMIC ? c.atomic : c.write) = me;
}

// Not in a window: a fiber's own locals, the library's constants, or a wild pointer.
void outside(uintptr_t address, int n, int access, const void* pc) {
    if (on_fiber_stack(address) || (address >= image_begin && address < image_end)) return;
    report.name = nullptr; report.offset = (int64_t)address; report.size = n; report.me.access = access;
    fault(OUT_OF_BOUNDS, pc);
}

inline void check(const void* p, int n, int access, const void* pc) {
    if (current < 0) return;
    const uintptr_t address = (uintptr_t)p;
    if (address - range_begin >= range_bytes) { outside(address, n, access, pc); return; }
    Window& w = windows[(address - range_begin) >> window_shift];
    const uintptr_t offset = address - w.begin;
    if (offset > w.bytes || offset + n > w.bytes) describe(OUT_OF_BOUNDS, w, offset, n, access, pc);
    if (!w.written) return;                            // nobody can write it, so nothing can race
    refine(w, offset, n);
    const Who me{serial, (uint32_t)pc_offset(pc), block_epoch, (uint32_t)current, fibers[current].warp_epoch};
    for (uintptr_t i = offset >> w.grain; i <= (offset + n - 1) >> w.grain; i++)
        touch(w.cells[i], w, me, offset, n, access, pc);
}

}  // namespace

uint64_t pc_offset(const void* pc) { return pc ? (uintptr_t)pc - image_begin : 0; }

void memory_start_launch(size_t dynamic_shared) {
    dynamic_bytes = dynamic_shared; static_bytes = static_count = 0;
    open_window(0, dynamic_shared, 0, true);
    windows[0].shared = true; windows[0].name = "dynamic shared memory"; windows[0].element = 1;
}

// Unwritten shared memory holds NaNs in every format, so that unchecked code shows it too.
void memory_start_block() {
    for (unsigned i = 0; i <= static_count; i++) memset((void*)windows[i].begin, 0xff, windows[i].bytes);
}

void memory_end_launch(bool copy_back) {
    for (unsigned i = FIRST_GLOBAL; i < FIRST_GLOBAL + global_count; i++)
        if (copy_back && windows[i].written) memcpy(windows[i].host, (void*)windows[i].begin, windows[i].bytes);
    global_count = 0;
}

void* static_shared(const void* key, size_t bytes, size_t element, const char* name) {
    for (unsigned i = 1; i <= static_count; i++) if (windows[i].key == key) return (void*)windows[i].begin;
    if (static_count + 1 >= FIRST_GLOBAL) { fault(LAUNCH, nullptr, 0, 0, "more than 31 static shared arrays"); return nullptr; }
    static_bytes += bytes;
    if (static_bytes + dynamic_bytes > SHARED_LIMIT) {
        report.name = name;
        fault(LAUNCH, nullptr, (int64_t)(static_bytes + dynamic_bytes), SHARED_LIMIT, "shared memory");
    }
    Window& w = windows[++static_count];
    w.key = key; w.shared = true; w.element = (int)element; w.name = name;
    void* p = (void*)open_window(static_count, bytes, 0, true);
    memset(p, 0xff, bytes);
    return p;
}

void* dynamic_shared(const char* name, size_t element) {
    windows[0].name = name; windows[0].element = (int)element;
    return (void*)windows[0].begin;
}

void atomic_access(const void* p, int n, const void* pc) {
    if (checked) check(p, n, ATOMIC, pc);
}

void* checked_copy(void* to, const void* from, size_t n, const void* pc) {
    if (checked && n) { check(from, (int)n, READ, pc); check(to, (int)n, WRITE, pc); }
    return memmove(to, from, n);
}

extern "C" {

// Takes the address space that the process's libraries share (range of windows, its shift, stacks of fibers), or
// reserves it if this is the first. One each would use up a process's addresses within some dozens of libraries.
int cusim_share(uint64_t* space) {
    if (!space[0]) { reserve(); space[0] = range_begin; space[1] = window_shift; }
    if (!space[2]) space[2] = reserve_stacks();
    if (!space[0] || !space[2]) return 0;
    stacks = (char*)space[2];
    range_begin = space[0]; window_shift = (unsigned)space[1]; range_bytes = (size_t)WINDOWS << window_shift;
    dl_iterate_phdr(find_image, nullptr);
    return 1;
}

// Copies a host array into a window of its own and returns the address the kernel gets.
uint64_t cusim_buffer(void* host, size_t bytes, size_t phase, int element, const char* name, int written) {
    unsigned i = FIRST_GLOBAL + global_count++;
    if (i >= WINDOWS) return 0;
    Window& w = windows[i];
    open_window(i, bytes, phase, written);
    w.host = host; w.element = element; w.name = name; w.shared = false;
    memcpy((void*)w.begin, host, bytes);
    return w.begin;
}

// The callbacks that code built with -fsanitize=thread makes before every access.
#define PC __builtin_return_address(0)
#define SIZED(n)                                                                                     \
    void __tsan_read##n(void* p) { check(p, n, READ, PC); }                                          \
    void __tsan_write##n(void* p) { check(p, n, WRITE, PC); }                                        \
    void __tsan_unaligned_read##n(void* p) { check(p, n, READ, PC); }                                \
    void __tsan_unaligned_write##n(void* p) { check(p, n, WRITE, PC); }                              \
    void __tsan_volatile_read##n(void* p) { check(p, n, READ, PC); }                                 \
    void __tsan_volatile_write##n(void* p) { check(p, n, WRITE, PC); }                               \
    void __tsan_unaligned_volatile_read##n(void* p) { check(p, n, READ, PC); }                       \
    void __tsan_unaligned_volatile_write##n(void* p) { check(p, n, WRITE, PC); }                     \
    void __tsan_read_write##n(void* p) { check(p, n, READ, PC); check(p, n, WRITE, PC); }            \
    void __tsan_unaligned_read_write##n(void* p) { check(p, n, READ, PC); check(p, n, WRITE, PC); }
SIZED(1) SIZED(2) SIZED(4) SIZED(8) SIZED(16)
void __tsan_read_range(void* p, size_t n) { if (n) check(p, (int)n, READ, PC); }
void __tsan_write_range(void* p, size_t n) { if (n) check(p, (int)n, WRITE, PC); }
void* __tsan_memcpy(void* to, const void* from, size_t n) { return checked_copy(to, from, n, PC); }
void* __tsan_memmove(void* to, const void* from, size_t n) { return checked_copy(to, from, n, PC); }
void* __tsan_memset(void* to, int v, size_t n) { if (n) check(to, (int)n, WRITE, PC); return memset(to, v, n); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}
void __tsan_vptr_update(void**, void*) {}

}  // extern "C"
}  // namespace cusim
