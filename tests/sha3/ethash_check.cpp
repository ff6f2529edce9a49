// Does Ethash, on top of a stage, give the answers that are known? What needs a cache of megabytes is left to the
// program's own test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include "common/bytes.hpp"
#include "common/records.hpp"
#include "sha3/apps/ethash/dataset.hpp"
#include "sha3/apps/ethash/ethash.hpp"
#include "sha3/sha3.hpp"

namespace ethash {
namespace {

const std::filesystem::path vectors = std::filesystem::path(LADDER_VECTORS) / "ethash";

// All known answers are of Keccak as submitted; with other constants the stage's own checks have to do.
constexpr bool has_known_answers = sha3::padding == 0x01 && sha3::rounds == 24;
class KnownEthash : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_known_answers) GTEST_SKIP() << "no answers are known with these constants";
  }
};

template <class Bytes>
Bytes read(const std::string& hex) {
  const std::vector<std::uint8_t> bytes = ladder::from_hex(hex);
  if (bytes.size() != sizeof(Bytes)) throw std::invalid_argument("of another length: " + hex);
  Bytes result;
  std::memcpy(static_cast<void*>(&result), bytes.data(), bytes.size());
  return result;
}

struct Tiny {
  struct Answer {
    std::uint64_t nonce;
    Result result;
  };

  std::map<std::string, std::string> fields;  // lines `name = value`
  std::vector<Answer> answers;                // lines `nonce HEX mix_derived HEX final_derived HEX`
  std::vector<Item> cache, dataset;
  Hash header;

  Tiny() {
    for (const std::string& line : ladder::read_lines(vectors / "tiny.txt")) {
      std::istringstream words(line);
      std::string first, second, third, mix, last, final;
      words >> first >> second >> third >> mix >> last >> final;
      if (first == "nonce") {
        answers.push_back({std::stoull(second, nullptr, 16), {read<Hash>(mix), read<Hash>(final)}});
      } else {
        fields[first] = third;
      }
    }
    header = read<Hash>(fields.at("header_hash"));
    cache = make_cache(read<Hash>(fields.at("seed")), tiny.cache_bytes);
    dataset.resize(tiny.dataset_bytes / item_bytes);
    dataset_items(cache, 0, dataset, 1);
  }
};

TEST(Ethash, SizesAreTheLargestPrimeNumbersOfItemsAndPages) {
  const std::vector<std::string> lines = ladder::read_lines(vectors / "sizes.txt");
  EXPECT_EQ(lines.size(), 2'050);
  for (const std::string& line : lines) {
    std::istringstream words(line);
    unsigned epoch;
    Sizes sizes;
    words >> epoch >> sizes.cache_bytes >> sizes.dataset_bytes;
    ASSERT_TRUE(words) << line;
    EXPECT_EQ(sizes_of_epoch(epoch), sizes) << "epoch " << epoch;
  }
}

TEST_F(KnownEthash, Seeds) {
  std::size_t known = 0;
  for (const std::string& line : ladder::read_lines(vectors / "seeds.txt")) {
    std::istringstream words(line);
    unsigned epoch;
    std::string seed;
    words >> epoch >> seed;
    ASSERT_TRUE(words) << line;
    if (epoch > 2'048) break;
    EXPECT_EQ(seed_of_epoch(epoch), read<Hash>(seed)) << "epoch " << epoch;
    ++known;
  }
  EXPECT_EQ(known, 4);
}

TEST_F(KnownEthash, CacheOfTheTinyConfiguration) {
  const Tiny given;
  const std::vector<std::uint8_t> known = ladder::from_hex(given.fields.at("cache"));
  ASSERT_EQ(known.size(), tiny.cache_bytes);
  EXPECT_EQ(std::memcmp(given.cache.data(), known.data(), known.size()), 0);
  EXPECT_EQ(given.dataset.at(0), read<Item>(given.fields.at("dag_item_0")));
}

TEST_F(KnownEthash, HashimotoOfTheTinyConfiguration) {
  const Tiny given;
  ASSERT_EQ(given.answers.size(), 4u);
  for (const auto& [nonce, result] : given.answers) {
    EXPECT_EQ(full(given.dataset, given.header, nonce), result) << "nonce " << nonce;
    EXPECT_EQ(light(given.cache, tiny.dataset_bytes, given.header, nonce), result) << "nonce " << nonce;
    EXPECT_EQ(final_hash(given.header, nonce, result.mix_hash), result.final_hash) << "nonce " << nonce;
  }
}

TEST_F(KnownEthash, ItemsOfTheMockCache) {
  const std::vector<Item> cache = mock_cache(sizes_of_epoch(0).cache_bytes);
  std::size_t known = 0;
  for (const std::string& line : ladder::read_lines(vectors / "dataset_items_mock.txt")) {
    std::istringstream words(line);
    std::string kind, item;
    std::uint32_t index;
    words >> kind >> index;
    if (kind == "search") continue;
    if (kind == "1024") index *= 2;
    while (words >> item) {
      ++known;
      for (const std::size_t in_flight : {1, 2}) {
        std::vector<Item> some(3);
        dataset_items(cache, index, some, in_flight);
        EXPECT_EQ(some[0], read<Item>(item)) << "item " << index << " with " << in_flight << " in flight";
      }
      ++index;
    }
  }
  EXPECT_EQ(known, 2 * 14u + 13u);
}

// The first nonce of a range whose hash meets a boundary, in a dataset of 501 pages.
TEST_F(KnownEthash, SearchWithTheMockCache) {
  std::vector<Item> dataset(2 * 501);
  dataset_items(mock_cache(sizes_of_epoch(0).cache_bytes), 0, dataset);
  std::size_t searches = 0;
  for (const std::string& line : ladder::read_lines(vectors / "dataset_items_mock.txt")) {
    std::istringstream words(line);
    std::string kind, boundary, final, mix;
    std::uint64_t start, count, nonce;
    if (words >> kind; kind != "search") continue;
    words >> start >> count >> boundary >> nonce >> final >> mix;
    ASSERT_TRUE(words) << line;
    ++searches;
    std::vector<Result> results(count);
    full_many(dataset, {}, start, results);
    const auto found = std::find_if(results.begin(), results.end(), [&](const Result& result) {
      return meets(result.final_hash, read<Hash>(boundary));
    });
    if (nonce == 0) {
      EXPECT_EQ(found, results.end());
      continue;
    }
    ASSERT_NE(found, results.end());
    EXPECT_EQ(start + static_cast<std::uint64_t>(found - results.begin()), nonce);
    if (mix == "-") continue;
    const Result known{read<Hash>(mix), read<Hash>(final)};
    EXPECT_EQ(*found, known);
  }
  EXPECT_EQ(searches, 3u);
}

// With any constants: what is in flight together gives what each gives alone.
TEST(Ethash, ManyInFlightGiveWhatEachGivesAlone) {
  const Tiny given;
  const std::size_t counts[] = {1, 3, 8, most_in_flight, most_in_flight + 1};  // the last is taken for the one before
  for (const std::size_t in_flight : counts) {
    std::vector<Item> items(given.dataset.size() - 5);  // no multiple of any
    dataset_items(given.cache, 3, items, in_flight);
    EXPECT_TRUE(std::equal(items.begin(), items.end(), given.dataset.begin() + 3)) << in_flight << " items in flight";
  }
  std::vector<Result> alone;
  const std::uint64_t first = 0xfffffffffffffff0;  // the numbers of nonces go round
  for (std::size_t i = 0; i < 37; ++i) alone.push_back(full(given.dataset, given.header, first + i));
  for (const std::size_t in_flight : counts) {
    std::vector<Result> results(alone.size());
    full_many(given.dataset, given.header, first, results, in_flight);
    EXPECT_EQ(results, alone) << in_flight << " nonces in flight, dataset";
    results.assign(results.size(), {});
    light_many(given.cache, tiny.dataset_bytes, given.header, first, results, in_flight);
    EXPECT_EQ(results, alone) << in_flight << " nonces in flight, cache";
  }
}

// With any constants: a file has the items that are made without one. Its last chunk is shorter than the others. The
// file has no name, so none is left where a fault ends the process.
TEST(Ethash, ItemsOfAFileAreThoseOfTheCache) {
  const std::uint64_t chunk = 1 << 20;
  const Plan plan{0, {tiny.cache_bytes, chunk + 3 * page_bytes}};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> unnamed(std::tmpfile(), std::fclose);
  ASSERT_TRUE(unnamed);
  const std::filesystem::path path = "/proc/self/fd/" + std::to_string(fileno(unnamed.get()));
  make_dataset(path, plan, [](std::uint64_t, std::uint64_t) {});
  const std::vector<Item> cache = make_cache(seed_of_epoch(0), tiny.cache_bytes);
  const Dataset file(path, plan);
  const std::uint32_t first_of_last = chunk / item_bytes, count = first_of_last + 3 * page_bytes / item_bytes;
  ASSERT_EQ(file.items().size(), count);
  for (const std::uint32_t index : {0u, 1u, first_of_last - 1, first_of_last, count - 1}) {
    std::vector<Item> item(1);
    dataset_items(cache, index, item);
    EXPECT_EQ(file.items()[index], item[0]) << "item " << index;
  }
}

TEST(Ethash, ABoundaryIsMetByWhatIsNoHigher) {
  Hash boundary{};
  boundary[0] = 1;
  boundary[31] = 2;
  Hash hash = boundary;
  EXPECT_TRUE(meets(hash, boundary));
  hash[31] = 3;
  EXPECT_FALSE(meets(hash, boundary));
  hash = {0, 0xff};
  EXPECT_TRUE(meets(hash, boundary));
}

}  // namespace
}  // namespace ethash
