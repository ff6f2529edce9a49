// The workloads of the SHA-3 case: an Ethash miner's batches of short messages, and long messages of every size.
#include <algorithm>
#include <numeric>
#include <span>

#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "ethash_oracle.hpp"
#include "oracle.hpp"
#include "sha3/apps/ethash/ethash.hpp"
#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

using ladder::Role;
using Look = ladder::Workload::Look;
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

std::vector<std::size_t> places(std::size_t count, Look look) {
  const std::size_t last = count - 1;
  std::vector<std::size_t> places{0, last / 3, last * 2 / 3, last};
  if (look == Look::everywhere) {
    places.resize(count);
    std::iota(places.begin(), places.end(), 0);
  }
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::string complaint(std::size_t message, std::size_t count, std::size_t calls) {
  return "the digest of message " + std::to_string(message) + " of " + std::to_string(count) +
         " is not what the oracle gives after " + std::to_string(calls) + " calls";
}

void hash_in_batches(Function function, std::span<const Message> messages, std::size_t batch) {
  for (; messages.size() > batch; messages = messages.subspan(batch)) function.hash(messages.first(batch));
  function.hash(messages);
}

// Messages side by side, their digests elsewhere. Every other call hashes messages that begin a line of the cache
// further on, into the same digests: what is left from the call before is wrong.
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

  std::string wrong(Look look) const override {
    if (calls_ == 0) return {};
    const std::vector<Message>& messages = messages_[(calls_ - 1) % 2];
    for (const std::size_t i : places(messages.size(), look)) {
      const Message& message = messages[i];
      const auto expected = oracle::digest({message.data, message.size}, static_cast<unsigned>(8 * function_.bytes));
      if (std::equal(expected.begin(), expected.end(), message.digest)) continue;
      return complaint(i, messages.size(), calls_);
    }
    return {};
  }

 private:
  static constexpr std::size_t line = 64;

  Function function_;
  std::size_t batch_;
  Memory data_, digests_;
  std::vector<Message> messages_[2];
  std::size_t calls_ = 0;
};

// Messages at the beginning of fields that take their digests: each call hashes the beginning of what the last left.
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

  std::string wrong(Look look) const override {
    for (const std::size_t i : places(messages_.size(), look)) {
      const auto begin = first_.begin() + static_cast<std::ptrdiff_t>(i * function_.bytes);
      std::vector<std::uint8_t> field(begin, begin + static_cast<std::ptrdiff_t>(function_.bytes));
      for (std::size_t call = 0; call < calls_; ++call) {
        field = oracle::digest(std::span(field).first(messages_[i].size), static_cast<unsigned>(8 * function_.bytes));
      }
      if (std::equal(field.begin(), field.end(), messages_[i].digest)) continue;
      return complaint(i, messages_.size(), calls_);
    }
    return {};
  }

 private:
  Function function_;
  std::size_t batch_;
  Memory fields_;
  std::vector<std::uint8_t> first_;
  std::vector<Message> messages_;
  std::size_t calls_ = 0;
};

// Ethash's cache from a seed, small enough to be made many times. Every other call has another seed.
class MakeCache : public ladder::Workload {
 public:
  static constexpr std::size_t items = 1'021;  // a prime, as the specification wants it

  void call() override {
    ++calls_;
    ethash::make_cache(seed(), cache_);
  }

  std::string wrong(Look look) const override {
    if (calls_ == 0) return {};
    const std::vector<oracle::Words> expected = oracle::ethash_cache(seed(), items);
    for (const std::size_t i : places(items, look)) {
      if (cache_[i].words != expected[i]) return "item " + std::to_string(i) + " of the cache is not the oracle's";
    }
    return {};
  }

 private:
  ethash::Hash seed() const { return {static_cast<std::uint8_t>(calls_ % 2)}; }

  std::vector<ethash::Item> cache_ = std::vector<ethash::Item>(items);
  std::size_t calls_ = 0;
};

// A cache of epoch 0's size with random words instead of hashes: what is read from it takes as long.
const std::vector<ethash::Item>& mock_cache() {
  static const std::vector<ethash::Item> cache = [] {
    std::vector<ethash::Item> items(ethash::sizes_of_epoch(0).cache_bytes / ethash::item_bytes);
    ladder::Generator generator(0);
    for (ethash::Item& item : items) generator.fill(item.words);
    return items;
  }();
  return cache;
}

static_assert(sizeof(ethash::Item) == sizeof(oracle::Words));
std::span<const oracle::Words> mock_words() { return {&mock_cache().data()->words, mock_cache().size()}; }

// Items of the dataset, others with each call.
class MakeItems : public ladder::Workload {
 public:
  static constexpr std::size_t count = 64;

  explicit MakeItems(std::size_t in_flight) : in_flight_(in_flight), cache_(mock_cache()) {}

  void call() override {
    first_ += count;
    ethash::dataset_items(cache_, first_, items_, in_flight_);
  }

  std::string wrong(Look look) const override {
    if (first_ == 0) return {};
    for (const std::size_t i : places(count, look)) {
      const auto index = static_cast<std::uint32_t>(first_ + i);
      if (items_[i].words == oracle::ethash_item(mock_words(), index)) continue;
      return "item " + std::to_string(index) + " of the dataset is not the oracle's";
    }
    return {};
  }

 private:
  std::size_t in_flight_;
  std::span<const ethash::Item> cache_;
  std::array<ethash::Item, count> items_;
  std::uint32_t first_ = 0;
};

// Verifying blocks without a dataset: four nonces, others with each call.
class Light : public ladder::Workload {
 public:
  static constexpr std::size_t count = 4;
  static constexpr std::size_t bytes = count * 64 * ethash::page_bytes;  // of the dataset that are made

  explicit Light(std::size_t in_flight) : in_flight_(in_flight), cache_(mock_cache()) {}

  void call() override {
    nonce_ += count;
    if (in_flight_ > 1) return ethash::light_many(cache_, dataset_bytes_, header, nonce_, results_, in_flight_);
    for (std::size_t i = 0; i < count; ++i) results_[i] = ethash::light(cache_, dataset_bytes_, header, nonce_ + i);
  }

  std::string wrong(Look look) const override {
    if (nonce_ == 0) return {};
    for (const std::size_t i : places(count, look)) {
      const auto mix = oracle::ethash_mix(mock_words(), dataset_bytes_, header, nonce_ + i);
      if (std::equal(mix.begin(), mix.end(), results_[i].mix_hash.begin())) continue;
      return "the mix of nonce " + std::to_string(nonce_ + i) + " is not the oracle's";
    }
    return {};
  }

 private:
  static constexpr ethash::Hash header{0x2a, 0x8d};

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
        ethash_entry<Light>("light", Role::main, Light::bytes, 1),
        ethash_entry<Light>("light-in-flight", Role::once, Light::bytes, Light::count),
        ethash_entry<MakeItems>("items", Role::once, MakeItems::count * ethash::item_bytes, 1),
        ethash_entry<MakeItems>("items-in-flight", Role::once, MakeItems::count * ethash::item_bytes, 8),
    };
    // Around the rate of 136 bytes, one more or less of which decides whether the padding needs a block of its own.
    for (const std::size_t bytes :
         {32, 64, 135, 136, 137, 272, 512, 1'024, 4'096, 16'384, 65'536, 262'144, 1'048'576}) {
      all.push_back(apart("sweep/" + std::to_string(bytes), Role::sweep, hash_256, {bytes}, 1));
    }
    return all;
  }();
  return entries;
}
