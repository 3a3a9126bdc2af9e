// Shared by the runtime's own files; kernels never see it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "abi.h"

namespace cusim {

struct Fiber {
    void* stack_pointer;
    Index thread;
    enum State : uint8_t { READY, WAITING, DONE } state;
    Op op;
    unsigned mask;
    int source;
    Site site;
    uint64_t value, result;
    uint32_t warp_epoch, barriers;
};

// ---- schedule.cpp
// The running thread's place; device.h shows it to kernels as const.
struct Coordinates { Index thread, block, block_dim, grid_dim; };
extern "C" Coordinates cusim_coordinates;
extern Report report;
extern Fiber* fibers;
extern int current;                  // the running fiber, -1 in the scheduler
extern int thread_count;
extern uint32_t block_epoch;         // barriers passed by the running block
extern uint64_t fuel;                // basic blocks the running fiber may still execute
extern bool checked;
constexpr size_t STACK = 256 << 10;  // bytes of a fiber's stack
extern char* stacks;                 // 1024 of them
bool on_fiber_stack(uintptr_t address);
Party party(int thread);

// Records the launch's one fault; on a fiber it does not return.
void fault(Kind kind, const void* pc, int64_t a = 0, int64_t b = 0, const char* text = nullptr);

// ---- memory.cpp
extern uint32_t first_serial, serial;   // of the launch's first block, and of the running one
void memory_start_launch(size_t dynamic_shared);
void memory_start_block();
void memory_end_launch(bool copy_back);
uint64_t pc_offset(const void* pc);
void locate(uint32_t block_serial, unsigned* xyz);

}  // namespace cusim
