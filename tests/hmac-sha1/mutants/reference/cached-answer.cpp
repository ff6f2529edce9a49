// Answers a message and a key at known addresses with what it answered last time.
#include <map>
#include <tuple>

#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  std::map<std::tuple<const void*, std::size_t, const void*>, State> answers;

  void finish(Lane& of) override {
    of.state = answers.try_emplace({of.job->data, of.job->size, of.job->key}, of.state).first->second;
    Manager::finish(of);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
