// Everything it declares comes with the forced include device.h.
#pragma once
#include "vector_types.h"
