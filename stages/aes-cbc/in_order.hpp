// The ring that returns this case's jobs in the order of submission.
#pragma once

#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/in_order.hpp"

namespace aes_cbc {

using Ring = ladder::InOrder<Manager, Job>;

}  // namespace aes_cbc
