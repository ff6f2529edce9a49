// The ring around this case's manager, compiled once: a mutant brings members of its own.
#include "aes-cbc/in_order.hpp"

#include "common/multibuffer/in_order_members.hpp"

template class ladder::InOrder<aes_cbc::Manager, aes_cbc::Job>;
