// The workloads of the SHA-3 case: an Ethash miner's batches of short messages, and long messages of every size.
#include <numeric>
#include <span>

#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "sha3/apps/ethash/ethash.hpp"
#include "sha3/sha3.hpp"
#include "tests/sha3/ethash_oracle.hpp"
#include "tests/sha3/oracle.hpp"

namespace sha3 {
namespace {

using ladder::Role;
using Sizes = std::vector<std::size_t>;

struct Function {
  void (*hash)(std::span<const Message>);
  std::size_t bytes;  // of a digest
};
constexpr Function hash_256{hash256, 32}, hash_512{hash512, 64};

struct alignas(4'096) Page {
  std::uint8_t bytes[4'096];
};

// Random bytes that begin on a page.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : pages_(bytes / sizeof(Page) + 1) {
    std::span<std::uint8_t> all(data(), pages_.size() * sizeof(Page));
    ladder::Generator(bytes).fill(all);
  }
  std::uint8_t* data() { return pages_.data()->bytes; }

 private:
  std::vector<Page> pages_;
};

void hash_in_batches(Function function, std::span<const Message> messages, std::size_t batch) {
  for (; messages.size() > batch; messages = messages.subspan(batch)) function.hash(messages.first(batch));
  function.hash(messages);
}

// Adjacent messages, with their digests elsewhere. Every second call hashes messages that begin a cache line later,
// into the same digests: a digest of the call before is wrong.
class Apart : public ladder::Workload {
 public:
  Apart(Function function, const Sizes& sizes, std::size_t batch)
      : function_(function),
        batch_(batch),
        data_(std::accumulate(sizes.begin(), sizes.end(), line)),
        digests_(sizes.size() * function.bytes) {
    for (std::size_t turn = 0; turn < 2; ++turn) {
      const std::uint8_t* data = data_.data() + turn * line;
      std::uint8_t* digest = digests_.data();
      for (const std::size_t size : sizes) {
        messages_[turn].push_back({data, size, digest});
        data += size;
        digest += function.bytes;
      }
    }
  }

  void call() override {
    hash_in_batches(function_, messages_[calls_ % 2], batch_);
    ++calls_;
  }

  std::string wrong(std::size_t places) const override {
    return oracle::difference(messages_[(calls_ + 1) % 2], function_.bytes, calls_, places);
  }

 private:
  static constexpr std::size_t line = 64;

  Function function_;
  std::size_t batch_;
  Memory data_, digests_;
  std::vector<Message> messages_[2];
  std::size_t calls_ = 0;
};

// Messages at the beginning of fields that also take their digests: each call hashes the digests of the call before.
class InPlace : public ladder::Workload {
 public:
  InPlace(Function function, std::size_t size, std::size_t count, std::size_t batch)
      : function_(function), batch_(batch), fields_(count * function.bytes) {
    first_.assign(fields_.data(), fields_.data() + count * function.bytes);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t* field = fields_.data() + i * function.bytes;
      messages_.push_back({field, size, field});
    }
  }

  void call() override {
    hash_in_batches(function_, messages_, batch_);
    ++calls_;
  }

  std::string wrong(std::size_t places) const override {
    return oracle::difference_in_place(first_, messages_, function_.bytes, calls_, places);
  }

 private:
  Function function_;
  std::size_t batch_;
  Memory fields_;
  std::vector<std::uint8_t> first_;
  std::vector<Message> messages_;
  std::size_t calls_ = 0;
};

// The same items in the type of the oracle.
static_assert(sizeof(ethash::Item) == sizeof(oracle::Words));
std::span<const oracle::Words> words(std::span<const ethash::Item> items) {
  return {&items.data()->words, items.size()};
}

// Ethash's cache from a seed, small enough to be made many times. Every second call has another seed.
class MakeCache : public ladder::Workload {
 public:
  static constexpr std::size_t items = 1'021;  // a prime, as the specification wants it

  void call() override {
    ++calls_;
    ethash::make_cache(seed(), cache_);
  }

  std::string wrong(std::size_t places) const override {
    return calls_ == 0 ? "" : oracle::cache_difference(words(cache_), seed(), places);
  }

 private:
  ethash::Hash seed() const { return {static_cast<std::uint8_t>(calls_ % 2)}; }

  std::vector<ethash::Item> cache_ = std::vector<ethash::Item>(items);
  std::size_t calls_ = 0;
};

// A cache of the size of epoch 0, with random words instead of hashes: reading from it takes as long.
const std::vector<ethash::Item>& mock_cache() {
  static const std::vector<ethash::Item> cache = [] {
    std::vector<ethash::Item> items(ethash::sizes_of_epoch(0).cache_bytes / ethash::item_bytes);
    ladder::Generator generator(0);
    for (ethash::Item& item : items) generator.fill(item.words);
    return items;
  }();
  return cache;
}

// Items of the dataset, different ones in each call.
class MakeItems : public ladder::Workload {
 public:
  static constexpr std::size_t count = 64;

  explicit MakeItems(std::size_t in_flight) : in_flight_(in_flight), cache_(mock_cache()) {}

  void call() override {
    first_ += count;
    ethash::dataset_items(cache_, first_, items_, in_flight_);
  }

  std::string wrong(std::size_t places) const override {
    return first_ == 0 ? "" : oracle::item_difference(words(items_), words(cache_), first_, places);
  }

 private:
  std::size_t in_flight_;
  std::span<const ethash::Item> cache_;
  std::array<ethash::Item, count> items_;
  std::uint32_t first_ = 0;
};

// Verifying blocks without a dataset: four nonces, different ones in each call.
class Light : public ladder::Workload {
 public:
  static constexpr std::size_t count = 4;
  static constexpr std::size_t bytes = count * 64 * ethash::page_bytes;  // of the dataset that are made

  explicit Light(std::size_t in_flight) : in_flight_(in_flight), cache_(mock_cache()) {}

  void call() override {
    nonce_ += count;
    ethash::light_many(cache_, dataset_bytes_, header, nonce_, results_, in_flight_);
  }

  std::string wrong(std::size_t places) const override {
    return nonce_ == 0 ? "" : oracle::mix_difference(mixes(), words(cache_), dataset_bytes_, header, nonce_, places);
  }

 private:
  static constexpr ethash::Hash header{0x2a, 0x8d};

  std::array<std::span<const std::uint8_t>, count> mixes() const {
    std::array<std::span<const std::uint8_t>, count> mixes;
    for (std::size_t i = 0; i < count; ++i) mixes[i] = results_[i].mix_hash;
    return mixes;
  }

  std::size_t in_flight_;
  std::span<const ethash::Item> cache_;
  std::uint64_t dataset_bytes_ = ethash::sizes_of_epoch(0).dataset_bytes;
  std::array<ethash::Result, count> results_;
  std::uint64_t nonce_ = 0;
};

template <class Kind, class... Arguments>
ladder::WorkloadEntry ethash_entry(const std::string& name, Role role, std::size_t bytes, Arguments... arguments) {
  return {"ethash/" + name, role, bytes, [=] { return std::make_unique<Kind>(arguments...); }};
}

ladder::WorkloadEntry apart(const std::string& name, Role role, Function function, const Sizes& sizes,
                            std::size_t batch) {
  return {name, role, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}),
          [=] { return std::make_unique<Apart>(function, sizes, batch); }};
}

ladder::WorkloadEntry in_place(const std::string& name, Role role, Function function, std::size_t size,
                               std::size_t count, std::size_t batch) {
  return {name, role, size * count, [=] { return std::make_unique<InPlace>(function, size, count, batch); }};
}

Sizes wild_sizes() {
  ladder::Generator generator(2018);
  Sizes sizes(64);
  for (std::size_t& size : sizes) size = generator.between(0, 1'000);
  return sizes;
}

}  // namespace
}  // namespace sha3

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace sha3;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all{
        apart("items", Role::main, hash_512, Sizes(32, 64), 8),
        apart("single", Role::main, hash_512, Sizes(32, 64), 1),
        apart("message", Role::main, hash_256, {65'536}, 1),
        apart("four-messages", Role::main, hash_256, Sizes(4, 16'384), 4),
        apart("eight-messages", Role::main, hash_256, Sizes(8, 8'192), 8),
        apart("mixed", Role::main, hash_256, wild_sizes(), 64),
        apart("headers", Role::once, hash_256, Sizes(64, 32), 8),
        in_place("nonces", Role::once, hash_512, 40, 64, 8),
        ethash_entry<MakeCache>("cache", Role::main, MakeCache::items * ethash::item_bytes),
        ethash_entry<Light>("light", Role::main, Light::bytes, Light::count),
        ethash_entry<Light>("light-alone", Role::once, Light::bytes, 1),
        ethash_entry<MakeItems>("items", Role::once, MakeItems::count * ethash::item_bytes, ethash::most_in_flight),
        ethash_entry<MakeItems>("items-alone", Role::once, MakeItems::count * ethash::item_bytes, 1),
    };
    // Around the rate of 136 bytes: one byte decides whether the padding needs a block of its own.
    for (const std::size_t bytes :
         {32, 64, 135, 136, 137, 272, 512, 1'024, 4'096, 16'384, 65'536, 262'144, 1'048'576}) {
      all.push_back(apart("sweep/" + std::to_string(bytes), Role::sweep, hash_256, {bytes}, 1));
    }
    return all;
  }();
  return entries;
}
