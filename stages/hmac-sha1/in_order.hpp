// The ring that returns this case's jobs in the order of submission.
#pragma once

#include "common/multibuffer/in_order.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

using Ring = ladder::InOrder<Manager, Job>;

}  // namespace hmac_sha1
