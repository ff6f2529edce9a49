// Ethash, revision 23, as in its specification, except that items and nonces can be interleaved.
#include "sha3/apps/ethash/ethash.hpp"

#include <algorithm>
#include <cstring>

#include "sha3/sha3.hpp"

namespace ethash {
namespace {

using Page = std::array<Item, 2>;
static_assert(sizeof(Page) == page_bytes);

constexpr unsigned cache_rounds = 3;
constexpr unsigned parents = 256;  // of the cache, in each item of the dataset
constexpr unsigned accesses = 64;  // to pages of the dataset, in each hashimoto

std::uint8_t* bytes_of(Item& item) { return reinterpret_cast<std::uint8_t*>(item.words.data()); }

std::uint32_t fnv(std::uint32_t a, std::uint32_t b) { return a * 0x01000193 ^ b; }

// The two are different items. The compiler must know this to compute in vectors.
void fnv(Item& __restrict mix, const Item& __restrict other) {
  for (std::size_t i = 0; i < mix.words.size(); ++i) mix.words[i] = fnv(mix.words[i], other.words[i]);
}

void hash512_in_place(Item& item) {
  const sha3::Message message{bytes_of(item), item_bytes, bytes_of(item)};
  sha3::hash512({&message, 1});
}

bool is_prime(std::uint64_t number) {
  if (number % 2 == 0) return number == 2;
  for (std::uint64_t divisor = 3; divisor * divisor <= number; divisor += 2) {
    if (number % divisor == 0) return false;
  }
  return number > 1;
}

// The largest size below the limit that is a prime number of units.
std::uint64_t prime_size(std::uint64_t limit, std::uint64_t unit) {
  std::uint64_t count = limit / unit - 1;
  while (!is_prime(count)) count -= 2;
  return count * unit;
}

std::uint32_t item_count(std::span<const Item> cache) { return static_cast<std::uint32_t>(cache.size()); }

Item start_of_item(std::span<const Item> cache, std::uint32_t index) {
  Item mix = cache[index % item_count(cache)];
  mix.words[0] ^= index;
  return mix;
}

// Remainders by one divisor, with two multiplications instead of a division: a fraction of 64 bits, times the divisor
// (Lemire, Kaser and Kurz 2019). Exact for every number.
class Remainder {
 public:
  explicit Remainder(std::uint32_t divisor) : divisor_(divisor), inverse_(~std::uint64_t{0} / divisor + 1) {}

  std::uint32_t operator()(std::uint32_t number) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint32_t>(Wide{inverse_ * number} * divisor_ >> 64);
  }

 private:
  std::uint64_t divisor_, inverse_;
};

// The next parent of an item is prefetched as soon as it is known. It arrives while the other items are mixed.
void items_together(std::span<const Item> cache, std::span<const std::uint32_t> indices, Item* items) {
  std::array<sha3::Message, 2 * most_in_flight> in_place;
  std::array<const Item*, 2 * most_in_flight> parent;
  const std::size_t count = indices.size();
  for (std::size_t k = 0; k < count; ++k) {
    items[k] = start_of_item(cache, indices[k]);
    in_place[k] = {bytes_of(items[k]), item_bytes, bytes_of(items[k])};
  }
  sha3::hash512({in_place.data(), count});
  const Remainder place(item_count(cache));
  const auto fetch = [&](std::size_t k, std::uint32_t number) {
    parent[k] = &cache[place(fnv(indices[k] ^ number, items[k].words[number % 16]))];
    __builtin_prefetch(parent[k]);
  };
  for (std::size_t k = 0; k < count; ++k) fetch(k, 0);
  for (std::uint32_t number = 1; number <= parents; ++number) {
    for (std::size_t k = 0; k < count; ++k) {
      fnv(items[k], *parent[k]);
      fetch(k, number);  // after the last one, a parent that is not used
    }
  }
  sha3::hash512({in_place.data(), count});
}

// Compresses the mix to a quarter: four words become one.
Hash compress(const Page& mix) {
  Hash hash;
  for (std::size_t i = 0; i < hash.size() / 4; ++i) {
    const std::uint32_t* four = &mix[i / 4].words[i % 4 * 4];
    const std::uint32_t word = fnv(fnv(fnv(four[0], four[1]), four[2]), four[3]);
    std::memcpy(&hash[4 * i], &word, sizeof word);
  }
  return hash;
}

struct Sealed {  // the final hash is computed from it
  Item seed;
  Hash mix_hash;
};
constexpr std::size_t sealed_bytes = item_bytes + sizeof(Hash);

// Header and nonce, which are then hashed in place.
constexpr std::size_t head_bytes = sizeof(Hash) + sizeof(std::uint64_t);
Item head_of(const Hash& header, std::uint64_t nonce) {
  Item item{};
  std::memcpy(bytes_of(item), header.data(), header.size());
  std::memcpy(bytes_of(item) + header.size(), &nonce, sizeof nonce);
  return item;
}

sha3::Message final_message(Sealed& sealed, Hash& final_hash) {
  return {reinterpret_cast<const std::uint8_t*>(&sealed), sealed_bytes, final_hash.data()};
}

// `fetch` gets the numbers of the pages that the nonces need, and writes the address of each page.
void hashimoto(std::uint64_t dataset_bytes, const Hash& header, std::uint64_t first_nonce, std::span<Result> results,
               auto&& fetch) {
  std::array<Sealed, most_in_flight> sealed;
  std::array<Page, most_in_flight> mixes;
  std::array<sha3::Message, most_in_flight> messages;
  std::array<std::uint32_t, most_in_flight> numbers;
  std::array<const Item*, most_in_flight> pages;
  const std::size_t count = results.size();
  const auto page_count = static_cast<std::uint32_t>(dataset_bytes / page_bytes);

  for (std::size_t k = 0; k < count; ++k) {
    Item& seed = sealed[k].seed = head_of(header, first_nonce + k);
    messages[k] = {bytes_of(seed), head_bytes, bytes_of(seed)};
  }
  sha3::hash512({messages.data(), count});
  for (std::size_t k = 0; k < count; ++k) mixes[k] = {sealed[k].seed, sealed[k].seed};

  for (std::uint32_t access = 0; access < accesses; ++access) {
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t word = mixes[k][access / 16 % 2].words[access % 16];
      numbers[k] = fnv(access ^ sealed[k].seed.words[0], word) % page_count;
    }
    fetch(std::span(numbers).first(count), pages.data());
    for (std::size_t k = 0; k < count; ++k) {
      fnv(mixes[k][0], pages[k][0]);
      fnv(mixes[k][1], pages[k][1]);
    }
  }

  for (std::size_t k = 0; k < count; ++k) {
    results[k].mix_hash = sealed[k].mix_hash = compress(mixes[k]);
    messages[k] = final_message(sealed[k], results[k].final_hash);
  }
  sha3::hash256({messages.data(), count});
}

// Splits a span into groups of `in_flight`. Calls with the index of the first element of each, and the group.
template <class Element>
void in_groups(std::span<Element> all, std::size_t in_flight, auto&& call) {
  in_flight = std::clamp<std::size_t>(in_flight, 1, most_in_flight);
  for (std::size_t first = 0; first < all.size(); first += in_flight) {
    call(first, all.subspan(first, std::min(in_flight, all.size() - first)));
  }
}

}  // namespace

Sizes sizes_of_epoch(unsigned epoch) {
  return {prime_size((1ull << 24) + (std::uint64_t{epoch} << 17), item_bytes),
          prime_size((1ull << 30) + (std::uint64_t{epoch} << 23), page_bytes)};
}

Hash seed_of_epoch(unsigned epoch) {
  Hash seed{};
  for (unsigned i = 0; i < epoch; ++i) seed = keccak256(seed);
  return seed;
}

void make_cache(const Hash& seed, std::span<Item> cache) {
  const std::uint32_t count = item_count(cache);
  const sha3::Message first{seed.data(), seed.size(), bytes_of(cache[0])};
  sha3::hash512({&first, 1});
  for (std::uint32_t i = 1; i < count; ++i) {
    cache[i] = cache[i - 1];
    hash512_in_place(cache[i]);
  }
  for (unsigned round = 0; round < cache_rounds; ++round) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Item mix = cache[i == 0 ? count - 1 : i - 1];
      const Item& other = cache[cache[i].words[0] % count];
      for (std::size_t j = 0; j < mix.words.size(); ++j) mix.words[j] ^= other.words[j];
      hash512_in_place(mix);
      cache[i] = mix;
    }
  }
}

std::vector<Item> make_cache(const Hash& seed, std::uint64_t cache_bytes) {
  std::vector<Item> cache(cache_bytes / item_bytes);
  make_cache(seed, cache);
  return cache;
}

std::vector<Item> mock_cache(std::uint64_t cache_bytes) {
  Item item;
  for (std::size_t i = 0; i < item.words.size(); ++i) item.words[i] = i % 2 == 0 ? 0xb2c3d4e5 : 0xe14a54a1;
  return std::vector<Item>(cache_bytes / item_bytes, item);
}

void dataset_items(std::span<const Item> cache, std::uint32_t first, std::span<Item> items, std::size_t in_flight) {
  in_groups(items, in_flight, [&](std::size_t start, std::span<Item> group) {
    std::array<std::uint32_t, most_in_flight> indices;
    for (std::size_t k = 0; k < group.size(); ++k) indices[k] = static_cast<std::uint32_t>(first + start + k);
    items_together(cache, std::span(indices).first(group.size()), group.data());
  });
}

Result full(std::span<const Item> dataset, const Hash& header, std::uint64_t nonce) {
  Result result;
  full_many(dataset, header, nonce, {&result, 1}, 1);
  return result;
}

Result light(std::span<const Item> cache, std::uint64_t dataset_bytes, const Hash& header, std::uint64_t nonce) {
  Result result;
  light_many(cache, dataset_bytes, header, nonce, {&result, 1}, 1);
  return result;
}

void full_many(std::span<const Item> dataset, const Hash& header, std::uint64_t first_nonce, std::span<Result> results,
               std::size_t in_flight) {
  in_groups(results, in_flight, [&](std::size_t start, std::span<Result> group) {
    hashimoto(dataset.size_bytes(), header, first_nonce + start, group,
              [&](std::span<const std::uint32_t> numbers, const Item** pages) {
                for (const std::uint32_t number : numbers) {
                  *pages = &dataset[std::size_t{2} * number];
                  __builtin_prefetch(*pages);
                  __builtin_prefetch(*pages++ + 1);
                }
              });
  });
}

void light_many(std::span<const Item> cache, std::uint64_t dataset_bytes, const Hash& header, std::uint64_t first_nonce,
                std::span<Result> results, std::size_t in_flight) {
  std::array<Item, 2 * most_in_flight> items;
  in_groups(results, in_flight, [&](std::size_t start, std::span<Result> group) {
    hashimoto(dataset_bytes, header, first_nonce + start, group,
              [&](std::span<const std::uint32_t> numbers, const Item** pages) {
                std::array<std::uint32_t, 2 * most_in_flight> indices;
                for (std::size_t k = 0; k < numbers.size(); ++k) {
                  indices[2 * k] = 2 * numbers[k];
                  indices[2 * k + 1] = 2 * numbers[k] + 1;
                  pages[k] = &items[2 * k];
                }
                items_together(cache, std::span(indices).first(2 * numbers.size()), items.data());
              });
  });
}

Hash final_hash(const Hash& header, std::uint64_t nonce, const Hash& mix_hash) {
  Sealed sealed{head_of(header, nonce), mix_hash};
  const sha3::Message head{bytes_of(sealed.seed), head_bytes, bytes_of(sealed.seed)};
  sha3::hash512({&head, 1});
  Hash hash;
  const sha3::Message message = final_message(sealed, hash);
  sha3::hash256({&message, 1});
  return hash;
}

bool meets(const Hash& final_hash, const Hash& boundary) {
  return std::memcmp(final_hash.data(), boundary.data(), final_hash.size()) <= 0;
}

Hash keccak256(std::span<const std::uint8_t> bytes) {
  Hash hash;
  const sha3::Message message{bytes.data(), bytes.size(), hash.data()};
  sha3::hash256({&message, 1});
  return hash;
}

Hash keccak256(std::span<const Item> items) {
  return keccak256({reinterpret_cast<const std::uint8_t*>(items.data()), items.size_bytes()});
}

}  // namespace ethash
