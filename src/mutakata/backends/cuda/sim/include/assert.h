// A device assertion: reported with its thread, instead of ending the process.
#pragma once
#undef assert
#define assert(condition) ((condition) ? (void)0 : cusim_assertion(#condition, __FILE__, __LINE__))
