// The schedule of a launch: blocks one after another, each thread of a block a fiber that runs until it
// waits or ends. Orders of blocks and threads are drawn from the seed, so a run can be repeated exactly.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "fiber.h"
#include "runtime.h"
#include "shuffler.h"

namespace cusim {

Coordinates cusim_coordinates;
Report report;
Fiber* fibers;
int current = -1, thread_count;
uint32_t block_epoch;
uint64_t fuel;
bool checked;
char* stacks;

namespace {

constexpr uint64_t STINT = 20'000'000;       // basic blocks a thread may execute without waiting once
constexpr uint64_t COLLECTIVE_COST = 64;     // a switch of fibers, in basic blocks

std::vector<Fiber> pool;
void* scheduler_stack;
void (*kernel)(void*);
void* kernel_arguments;
uint64_t seed, budget, stint_fuel;
unsigned alive[32], arrived[32];             // lanes of each warp: not ended, and waiting for their warp
bool scheduling;                             // a fault now comes from the scheduler, not from the fiber

void to_scheduler() { cusim_switch(&fibers[current].stack_pointer, scheduler_stack); }

void entry() {
    kernel(kernel_arguments);
    fibers[current].state = Fiber::DONE;
    to_scheduler();
    __builtin_unreachable();
}

void refuel() {
    uint64_t used = stint_fuel - fuel;
    budget -= std::min(budget, used + COLLECTIVE_COST);
    stint_fuel = fuel = std::min(STINT, budget) + 1;
}

void resume(int thread) {
    current = thread;
    cusim_coordinates.thread = fibers[thread].thread;
    refuel();
    cusim_switch(&scheduler_stack, fibers[thread].stack_pointer);
}

// ---- operations of a warp
int first_of_warp(int thread) { return thread & ~31; }

bool same_masks(int first, unsigned lanes, unsigned mask) {
    for (; lanes; lanes &= lanes - 1) if (fibers[first + __builtin_ctz(lanes)].mask != mask) return false;
    return true;
}

bool same_site(const Site& a, const Site& b) {
    return a.line == b.line && (a.op == b.op || !strcmp(a.op, b.op));
}

void exchange(int first, unsigned lanes) {
    uint64_t ballot = 0;
    uint32_t newest = 0;
    for (int l = 0; l < 32; l++)
        if (lanes >> l & 1) {
            ballot |= (uint64_t)(fibers[first + l].value != 0) << l;
            newest = std::max(newest, fibers[first + l].warp_epoch);
        }
    for (int l = 0; l < 32; l++) {
        if (!(lanes >> l & 1)) continue;
        Fiber& f = fibers[first + l];
        if (f.op == SHUFFLE && !(lanes >> f.source & 1)) {
            report.me = party(first + l);
            fault(WARP_MASK, nullptr, f.mask, f.source, "reads a lane that takes no part");
            return;
        }
        f.result = f.op == SHUFFLE ? fibers[first + f.source].value : ballot;
        if (f.op == WARP_SYNC) f.warp_epoch = newest + 1;
        f.state = Fiber::READY;
    }
    arrived[first / 32] &= ~lanes;
}

void try_warp(int first, unsigned mask) {
    const unsigned lanes = alive[first / 32] & mask;
    if (!lanes || (arrived[first / 32] & lanes) != lanes || !same_masks(first, lanes, mask)) return;
    const int lowest = first + __builtin_ctz(lanes);
    for (int l = 0; l < 32; l++)
        if ((lanes >> l & 1) && !same_site(fibers[first + l].site, fibers[lowest].site)) {
            report.me = party(lowest); report.other = party(first + l);
            fault(WARP_MASK, nullptr, mask, 0, "meet at different calls");
            return;
        }
    exchange(first, lanes);
}

void after_exit(int thread) {                // those who wait for the thread may go on without it
    const int first = first_of_warp(thread);
    alive[first / 32] &= ~(1u << (thread & 31));
    for (int l = 0; l < 32 && first + l < thread_count && !report.kind; l++) {
        Fiber& f = fibers[first + l];
        if (f.state == Fiber::WAITING && f.op >= WARP_SYNC) try_warp(first, f.mask);
    }
}

// ---- barriers of a block
void report_missing_lanes(int waiting) {
    const Fiber& f = fibers[waiting];
    const int first = first_of_warp(waiting);
    report.me = party(waiting);
    for (int l = 0; l < 32 && first + l < thread_count; l++) {
        const Fiber& g = fibers[first + l];
        if ((f.mask >> l & 1) && g.state != Fiber::DONE && (g.op < WARP_SYNC || g.mask != f.mask)) {
            report.other = party(first + l);
            break;
        }
    }
    fault(WARP_MASK, nullptr, f.mask, 0, "waits for a lane that does not come");
}

// Threads that ended before any barrier count as arrived, as on a GPU since Volta.
bool barrier_is_whole() {
    int first = -1;
    for (int i = 0; i < thread_count; i++) if (fibers[i].state == Fiber::WAITING && first < 0) first = i;
    for (int i = 0; i < thread_count; i++) {
        const Fiber& f = fibers[i];
        const bool gone = f.state == Fiber::DONE && f.barriers > 0;
        if (gone || (f.state == Fiber::WAITING && !same_site(f.site, fibers[first].site))) {
            report.me = party(first); report.other = party(i);
            fault(DIVERGENT_BARRIER, nullptr, gone);
            return false;
        }
    }
    return true;
}

void release_block() {
    uint64_t count = 0, waiting = 0;
    for (int i = 0; i < thread_count; i++) {
        const Fiber& f = fibers[i];
        if (f.state != Fiber::WAITING) continue;
        if (f.op >= WARP_SYNC) { report_missing_lanes(i); return; }
        waiting++; count += f.value != 0;
    }
    if (!barrier_is_whole()) return;
    for (int i = 0; i < thread_count; i++) {
        Fiber& f = fibers[i];
        if (f.state != Fiber::WAITING) continue;
        f.state = Fiber::READY; f.barriers++;
        f.result = f.op == SYNC_COUNT ? count : f.op == SYNC_OR ? count > 0 : count == waiting;
    }
    block_epoch++;
}

// ---- blocks and launches
void start_block(uint32_t id) {
    const Index g = cusim_coordinates.grid_dim, b = cusim_coordinates.block_dim;
    serial = first_serial + id; block_epoch = 0;
    cusim_coordinates.block = {id % g.x, id / g.x % g.y, id / (g.x * g.y)};
    memory_start_block();
    pool.assign(thread_count, Fiber{});
    fibers = pool.data();
    memset(alive, 0, sizeof alive);
    memset(arrived, 0, sizeof arrived);
    for (unsigned i = 0; i < (unsigned)thread_count; i++) {
        alive[i / 32] |= 1u << (i % 32);
        fibers[i].stack_pointer = prepare_stack(stacks + (i + 1) * STACK, entry);
        fibers[i].thread = {i % b.x, i / b.x % b.y, i / (b.x * b.y)};
    }
}

void run_block(std::vector<uint32_t>& order, Shuffler& shuffle) {
    for (;;) {
        shuffle(order);
        bool ran = false, alive = false;
        for (uint32_t i : order) {
            if (fibers[i].state == Fiber::DONE) continue;
            alive = true;
            if (fibers[i].state != Fiber::READY) continue;
            ran = true;
            resume(i);
            scheduling = true;
            if (fibers[i].state == Fiber::DONE && !report.kind) after_exit(i);
            scheduling = false;
            current = -1;
            if (report.kind) return;
        }
        if (!alive) return;
        if (!ran) release_block();
        if (report.kind) return;
    }
}

void run_grid() {
    const Index g = cusim_coordinates.grid_dim;
    const uint32_t blocks = g.x * g.y * g.z;
    std::vector<uint32_t> blocks_order(blocks), threads_order(thread_count);
    std::iota(blocks_order.begin(), blocks_order.end(), 0);
    std::iota(threads_order.begin(), threads_order.end(), 0);
    Shuffler shuffle{seed};
    shuffle(blocks_order);
    for (uint32_t id : blocks_order) {
        start_block(id);
        run_block(threads_order, shuffle);
        if (report.kind) break;
    }
    first_serial += blocks;
}

}  // namespace

bool on_fiber_stack(uintptr_t address) { return address - (uintptr_t)stacks < 1024 * STACK; }

Party party(int thread) {
    const Index b = cusim_coordinates.block;
    const Fiber& f = fibers[thread];
    const bool waits = f.state == Fiber::WAITING;
    return {{b.x, b.y, b.z}, thread, READ, waits ? f.site.line : 0, waits ? f.site.file : nullptr,
            waits ? f.site.op : nullptr, 0};
}

void fault(Kind kind, const void* pc, int64_t a, int64_t b, const char* text) {
    report.kind = kind; report.a = a; report.b = b; report.text = text;
    if (current < 0 || scheduling) return;
    if (report.me.thread < 0) { int access = report.me.access; report.me = party(current); report.me.access = access; }
    if (pc) report.me.pc = pc_offset(pc);
    fibers[current].state = Fiber::DONE;
    to_scheduler();
}

void locate(uint32_t block_serial, unsigned* xyz) {
    const Index g = cusim_coordinates.grid_dim;
    const uint32_t id = block_serial - first_serial;
    xyz[0] = id % g.x; xyz[1] = id / g.x % g.y; xyz[2] = id / (g.x * g.y);
}

uint64_t collective(Op op, unsigned mask, uint64_t value, int source, Site site) {
    Fiber& f = fibers[current];
    f.op = op; f.mask = mask; f.value = value; f.source = source; f.site = site;
    f.state = Fiber::WAITING;
    if (op >= WARP_SYNC) {
        arrived[current / 32] |= 1u << (current & 31);
        if (!(mask >> (current & 31) & 1)) fault(WARP_MASK, nullptr, mask, current & 31, "is not in its own mask");
        try_warp(first_of_warp(current), mask);
    }
    if (f.state == Fiber::WAITING) to_scheduler();
    return f.result;
}

void bad_width(int width, Site site) {
    report.me = party(current);
    report.me.line = site.line; report.me.file = site.file; report.me.op = site.op;
    fault(WARP_MASK, nullptr, width, 0, "has a width that is no power of two");
}

int lane() { return current & 31; }

unsigned live_lanes() { return alive[current / 32]; }

void yield() { to_scheduler(); }             // stays ready: lets another thread release a lock

int launch(void (*body)(void*), void* arguments) {
    kernel = body; kernel_arguments = arguments;
    run_grid();
    current = -1;
    memory_end_launch(report.kind == NONE);
    return report.kind;
}

extern "C" {

void cusim_start(const unsigned* grid, const unsigned* block, size_t dynamic_shared, uint64_t order, uint64_t steps,
                 int check) {
    report = Report{}; report.me.thread = report.other.thread = -1;
    cusim_coordinates.grid_dim = {grid[0], grid[1], grid[2]};
    cusim_coordinates.block_dim = {block[0], block[1], block[2]};
    thread_count = (int)(block[0] * block[1] * block[2]);
    seed = order; budget = steps; stint_fuel = fuel = 0; checked = check; scheduling = false;
    memory_start_launch(dynamic_shared);
}

const Report* cusim_report() { return &report; }

}  // extern "C"
}  // namespace cusim
