// The ring around this case's manager, compiled once: a mutant brings members of its own.
#include "hmac-sha1/in_order.hpp"

#include "common/multibuffer/in_order_members.hpp"

template class ladder::InOrder<hmac_sha1::Manager, hmac_sha1::Job>;
