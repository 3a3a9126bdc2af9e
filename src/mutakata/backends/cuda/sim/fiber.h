// Fibers: a stack pointer and the callee-saved registers, nothing else.
#pragma once
#include <cstdint>
#include <cstring>

extern "C" void cusim_switch(void** save, void* to);

#if defined(__x86_64__)
asm(R"(.text
.globl cusim_switch
.hidden cusim_switch
.type cusim_switch,@function
cusim_switch:
 pushq %rbp; pushq %rbx; pushq %r12; pushq %r13; pushq %r14; pushq %r15
 movq %rsp,(%rdi); movq %rsi,%rsp
 popq %r15; popq %r14; popq %r13; popq %r12; popq %rbx; popq %rbp
 ret
)");

// Six registers and the entry's address; one more word, as the ABI wants the stack 8 bytes off 16 at entry.
static void* prepare_stack(char* top, void (*entry)()) {
    void** s = (void**)((uintptr_t)top & ~15ull) - 2;
    *s = (void*)entry;
    s -= 6;
    memset(s, 0, 6 * sizeof *s);
    return s;
}
#elif defined(__aarch64__)
asm(R"(.text
.globl cusim_switch
.hidden cusim_switch
.p2align 2
cusim_switch:
 sub sp,sp,#160
 stp x19,x20,[sp]
 stp x21,x22,[sp,#16]
 stp x23,x24,[sp,#32]
 stp x25,x26,[sp,#48]
 stp x27,x28,[sp,#64]
 stp x29,x30,[sp,#80]
 stp d8,d9,[sp,#96]
 stp d10,d11,[sp,#112]
 stp d12,d13,[sp,#128]
 stp d14,d15,[sp,#144]
 mov x2,sp
 str x2,[x0]
 mov sp,x1
 ldp x19,x20,[sp]
 ldp x21,x22,[sp,#16]
 ldp x23,x24,[sp,#32]
 ldp x25,x26,[sp,#48]
 ldp x27,x28,[sp,#64]
 ldp x29,x30,[sp,#80]
 ldp d8,d9,[sp,#96]
 ldp d10,d11,[sp,#112]
 ldp d12,d13,[sp,#128]
 ldp d14,d15,[sp,#144]
 add sp,sp,#160
 ret
)");

static void* prepare_stack(char* top, void (*entry)()) {
    char* s = (char*)((uintptr_t)top & ~15ull) - 160;
    memset(s, 0, 160);
    *(void**)(s + 88) = (void*)entry;         // x30, the return address
    return s;
}
#else
#error "the CUDA simulation knows x86-64 and aarch64 only"
#endif
