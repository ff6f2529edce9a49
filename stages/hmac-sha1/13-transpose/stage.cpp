// Matrix transposition in registers: a block of every lane is loaded as whole vectors, which are then transposed.
// variants: no-steps
#include "hmac-sha1/11-scheduler/scheduler.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/13-transpose/load.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

struct TransposedLoad {
  BlockOf<Lanes> operator()(const std::uint8_t* const* at) const { return load_reversed<Lanes>(at); }
};

}  // namespace

struct Manager : Scheduler<Lanes, TransposedLoad> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
