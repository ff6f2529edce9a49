// Is a stage right? Known answers, comparison with the oracle at every length that may matter, and the contract's
// promises: each job back exactly once, whatever was submitted around it.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <hmac-sha1/constants.hpp>
#include <hmac-sha1/peers/with_hash.hpp>

#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/lacks.hpp"
#include "common/records.hpp"
#include "hmac-sha1/in_order.hpp"
#include "oracle.hpp"
#include "tests/in_order_check.hpp"
#include "tests/jobs_check.hpp"
#include "tests/random.hpp"
#include "tests/threads.hpp"

// The ring that is linked is checked, which a mutant may have brought, and no copy that is inlined here.
extern template class ladder::InOrder<hmac_sha1::Manager, hmac_sha1::Job>;

namespace hmac_sha1 {
namespace {

using Bytes = oracle::Bytes;
using ladder::Generator;
using ladder::GuardedBuffer;
using ladder::random_bytes;
using namespace ladder::jobs_check;
using Fault = ladder::jobs_check::Fault<Job>;

const std::filesystem::path vectors = LADDER_VECTORS;

constexpr std::uint8_t untouched = 0xFF;
constexpr std::size_t border = 16;  // bytes before and behind a digest that nobody may touch

// Names the first byte that differs; the whole of both would fill the screen.
testing::AssertionResult same(std::span<const std::uint8_t> actual, std::span<const std::uint8_t> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    return testing::AssertionFailure() << "byte " << i << " of " << expected.size() << " is " << int{actual[i]}
                                       << ", but should be " << int{expected[i]};
  }
  return testing::AssertionSuccess();
}

// A job with all that belongs to it.
struct Whole {
  // Without key bytes the job is a hash. The caller keeps the message `given`, and also a key that is prepared.
  Whole(std::span<const std::uint8_t> given, const Bytes* key_bytes, std::size_t digest_size = digest_bytes,
        const Key* prepared = nullptr)
      : message(given), room(digest_bytes + 2 * border, untouched) {
    if (key_bytes && !prepared) prepare(key, *key_bytes);
    const Key* const used = prepared ? prepared : key_bytes ? &key : nullptr;
    job = {given.data(), given.size(), used, room.data() + border, digest_size, Status::waiting};
    expected = key_bytes ? oracle::hmac(*key_bytes, given) : oracle::sha1(given);
    expected.resize(digest_size);
  }
  Whole(const Whole&) = delete;  // the job points into it
  Whole& operator=(const Whole&) = delete;

  void spoil(const Fault& fault) {
    fault.spoil(job);
    // an empty message may stand at null
    valid = fault.problem == Problem::null_pointer && job.digest != nullptr && job.size == 0;
  }

  void again() {
    std::ranges::fill(room, untouched);
    job.status = Status::waiting;
  }

  // The digest is right, and nothing around it was written.
  void expect_done() const {
    EXPECT_EQ(job.status, Status::done);
    EXPECT_TRUE(same({job.digest, job.digest_size}, expected))
        << "in the digest of a message of " << message.size() << " bytes";
    const std::size_t digest = job.digest - room.data();
    EXPECT_EQ(std::count(room.begin(), room.begin() + digest, untouched), digest) << "written before the digest";
    const std::size_t behind = room.size() - digest - job.digest_size;
    EXPECT_EQ(std::count(room.end() - behind, room.end(), untouched), behind) << "written behind the digest";
  }
  void expect_refused() const {
    EXPECT_EQ(job.status, Status::invalid);
    EXPECT_EQ(room, Bytes(room.size(), untouched)) << "an invalid job was worked on";
  }
  bool is_right() const { return std::equal(expected.begin(), expected.end(), job.digest); }
  void expect_finished() const { valid ? expect_done() : expect_refused(); }

  std::span<const std::uint8_t> message;
  Bytes room;
  Key key;
  Job job;
  bool valid = true;
  Bytes expected;
};

using Ledger = ladder::jobs_check::Ledger<Manager, Whole>;
using OrderedLedger = ladder::jobs_check::OrderedLedger<Ring, Whole>;

// Every way in which a job can be invalid.
constexpr Fault faults[] = {
    {[](Job& job) { job.data = nullptr; }, Problem::null_pointer},
    {[](Job& job) { job.digest = nullptr; }, Problem::null_pointer},
    {[](Job& job) { job.size = most_bytes + 1; }, Problem::too_long},
    {[](Job& job) { job.size = SIZE_MAX; }, Problem::too_long},
    {[](Job& job) { job.digest_size = 0; }, Problem::result_size},
    {[](Job& job) { job.digest_size = digest_bytes + 1; }, Problem::result_size},
};

bool can_do(std::size_t size, std::size_t digest_size, bool keyed) {
  if (ladder::lacks("empty") && size == 0 && keyed) return false;
  if (ladder::lacks("long") && size > 65'534) return false;
  return !ladder::lacks("truncated") || digest_size == digest_bytes;
}

// In a batch, through submit and flush, and in a batch after that.
void check_jobs(std::deque<Whole>& all) {
  if (testing::Test::HasFailure()) return;  // there is nothing more to be learnt
  const OwnManager manager(make_manager());
  do_in_batch(*manager, all);
  for (Whole& one : all) one.again();
  do_one_by_one(*manager, all);
  for (Whole& one : all) one.again();
  do_in_batch(*manager, all);
}

TEST(KnownAnswers, Rfc2202) {
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  std::deque<Bytes> messages;
  std::deque<Whole> all;
  for (const ladder::Record& record : ladder::read_records(vectors / "rfc-2202-sha1.txt")) {
    const Bytes key = ladder::from_hex(record.at("Key"));
    all.emplace_back(messages.emplace_back(ladder::from_hex(record.at("Msg"))), &key);
    EXPECT_EQ(all.back().expected, ladder::from_hex(record.at("MD"))) << "the oracle";
  }
  EXPECT_EQ(all.size(), 7u);
  check_jobs(all);
}

TEST(KnownAnswers, HmacOfNistTruncated) {
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  std::deque<Bytes> messages;
  std::deque<Whole> all;
  std::size_t count = 0;
  for (const ladder::Record& record : ladder::read_records(vectors / "HMAC_L20.rsp")) {
    if (!record.contains("Mac")) continue;
    ++count;
    const Bytes key = ladder::from_hex(record.at("Key")), mac = ladder::from_hex(record.at("Mac"));
    EXPECT_EQ(std::to_string(mac.size()), record.at("Tlen"));
    messages.push_back(ladder::from_hex(record.at("Msg")));
    if (!can_do(messages.back().size(), mac.size(), true)) continue;
    all.emplace_back(messages.back(), &key, mac.size());
    EXPECT_EQ(all.back().expected, mac) << "the oracle";
  }
  EXPECT_EQ(count, 300u);
  check_jobs(all);
}

std::size_t check_hashes(const char* file) {
  std::deque<Bytes> messages;
  std::deque<Whole> all;
  for (const ladder::Record& record : ladder::read_records(vectors / file)) {
    if (!record.contains("MD")) continue;
    Bytes message = ladder::from_hex(record.at("Msg"));
    message.resize(std::stoul(record.at("Len")) / 8);
    all.emplace_back(messages.emplace_back(message), nullptr);
    EXPECT_EQ(all.back().expected, ladder::from_hex(record.at("MD"))) << "the oracle";
  }
  check_jobs(all);
  return all.size();
}

TEST(KnownAnswers, Sha1OfNist) {
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  EXPECT_EQ(check_hashes("SHA1ShortMsg.rsp"), 65u);
  EXPECT_EQ(check_hashes("SHA1LongMsg_subset.rsp"), 17u);
}

TEST(Lengths, EveryLengthWithAndWithoutKey) {
  const Bytes data = random_bytes(600, 1), key = random_bytes(20, 2);
  std::deque<Whole> all;
  for (std::size_t size = 0; size <= 600; ++size) {
    if (can_do(size, digest_bytes, true)) all.emplace_back(std::span(data.data(), size), &key);
    all.emplace_back(std::span(data.data(), size), nullptr);
  }
  check_jobs(all);
}

// OpenSSL's issue 15706: a code was wrong for some lengths just below 1,024 and 2,048 bytes alone.
TEST(Lengths, EveryLengthNear1024And2048) {
  const Bytes data = random_bytes(2'200, 31), key = random_bytes(20, 32);
  std::deque<Whole> all;
  for (const std::size_t near : {1'024, 2'048}) {
    for (std::size_t size = near - 140; size <= near + 140; ++size) {
      all.emplace_back(std::span(data.data(), size), &key);
      all.emplace_back(std::span(data.data(), size), nullptr);
    }
  }
  check_jobs(all);
}

TEST(Lengths, EveryLengthInALaneOfItsOwn) {
  const Bytes data = random_bytes(300, 3), key = random_bytes(64, 4);
  for (std::size_t size = 0; size <= 300; ++size) {
    if (!can_do(size, digest_bytes, true)) continue;
    std::deque<Whole> one;
    one.emplace_back(std::span(data.data(), size), &key);
    check_jobs(one);
  }
}

TEST(Lengths, EmptyMessageWithoutData) {
  const Bytes key = random_bytes(20, 5);
  for (const std::size_t count : {1, 6, 20}) {
    std::deque<Whole> all;
    if (can_do(0, digest_bytes, true)) all.emplace_back(std::span<const std::uint8_t>(), &key);
    for (std::size_t i = 0; i < count; ++i) all.emplace_back(std::span<const std::uint8_t>(), nullptr);
    ASSERT_EQ(all.back().job.data, nullptr);
    check_jobs(all);
  }
}

TEST(Lengths, KeysOfEveryLength) {
  const Bytes data = random_bytes(100, 6);
  std::deque<Whole> all;
  for (std::size_t size = 0; size <= 200; ++size) {
    const Bytes key = random_bytes(size, size);
    all.emplace_back(data, &key);
  }
  for (const std::size_t size : {255, 256, 257, 1'000, 70'000}) {
    const Bytes key = random_bytes(size, size);
    all.emplace_back(data, &key);
  }
  check_jobs(all);
}

TEST(Lengths, DigestsOfEveryLength) {
  const Bytes data = random_bytes(100, 7), key = random_bytes(20, 8);
  std::deque<Whole> all;
  for (std::size_t size = 1; size <= digest_bytes; ++size) {
    if (can_do(data.size(), size, true)) all.emplace_back(data, &key, size);
    if (can_do(data.size(), size, false)) all.emplace_back(data, nullptr, size);
  }
  check_jobs(all);
}

// More blocks than a counter of 16 bits holds, beside a few short messages or enough of them to fill vectors.
TEST(Lengths, MoreBlocksThan16BitsCount) {
  if (ladder::lacks("long")) GTEST_SKIP() << "takes no message of this length";
  const Bytes data = random_bytes(65'536 * block_bytes + 70, 9), key = random_bytes(20, 10);
  for (const std::size_t more : {0, 15}) {
    std::deque<Whole> all;
    all.emplace_back(std::span(data.data(), 3), &key);
    all.emplace_back(data, &key);
    all.emplace_back(std::span(data.data(), 64), &key);
    for (std::size_t i = 0; i < more; ++i) {
      const bool is_long = i % 8 == 6;  // in lane 9 and 17, which are those of a second vector
      all.emplace_back(std::span(data.data() + i, is_long ? data.size() - i : 5), &key);
    }
    check_jobs(all);
  }
  for (const std::size_t count : {1, 2, 4, 6}) {  // long ones alone, too few for the widest vectors
    std::deque<Whole> all;
    for (std::size_t i = 0; i < count; ++i) all.emplace_back(std::span(data).subspan(i), &key);
    check_jobs(all);
  }
}

// Around 255 blocks and beyond, where a sort may no longer distinguish lengths. The longest come first.
TEST(Batches, LongOnesOfUnequalLengths) {
  const Bytes data = random_bytes(24'000, 52), key = random_bytes(20, 53);
  for (const std::size_t longest : {16'500, 24'000}) {
    for (const std::size_t count : {2, 4, 7, 20}) {
      std::deque<Whole> all;
      for (std::size_t i = 0; i < count; ++i) all.emplace_back(std::span(data.data(), longest - 128 * i), &key);
      check_jobs(all);
    }
  }
}

// One less and one more than every number of lanes or of jobs that a stage may gather.
TEST(Batches, EveryNumberOfJobs) {
  const Bytes data = random_bytes(2'000, 11);
  for (std::size_t count = 0; count <= 140; ++count) {
    Generator generator(count);
    std::deque<Whole> all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = generator.between(1, count % 3 == 0 ? 64 : 400);
      const Bytes key = random_bytes(20, generator());
      all.emplace_back(std::span(data.data() + generator.between(0, 1'000), size), &key);
    }
    check_jobs(all);
  }
}

// Lanes whose messages have no whole block, or end in the same turn, beside long ones: where others hung or went wrong.
TEST(Batches, ShortLanesBesideLongOnes) {
  const Bytes data = random_bytes(9'000, 12), key = random_bytes(20, 13);
  for (const std::size_t little : {1, 9, 51, 55, 56, 63, 64, 65, 115, 119, 120}) {
    for (std::size_t place = 0; place < 20; ++place) {
      std::deque<Whole> all;
      for (std::size_t i = 0; i < 20; ++i) {
        all.emplace_back(std::span(data.data(), i == place ? 9'000 : little), &key);
      }
      check_jobs(all);
    }
  }
}

// A lane's padding must not be what the job before left there: lengths whose last bytes fill ever less of a block.
TEST(Batches, NothingStaysInALane) {
  const Bytes data = random_bytes(6'000, 14), key = random_bytes(20, 15);
  std::deque<Whole> all;
  for (int round = 0; round < 12; ++round) {
    for (const std::size_t size : {5'119, 120, 119, 64, 63, 56, 55, 8, 1}) {
      for (int i = 0; i < 11; ++i) all.emplace_back(std::span(data.data() + i, size), i % 3 ? &key : nullptr);
    }
  }
  check_jobs(all);
}

TEST(Batches, JobsWithAndWithoutKeyInTurn) {
  const Bytes data = random_bytes(700, 16);
  std::deque<Whole> all;
  for (std::size_t i = 0; i < 300; ++i) {
    const Bytes key = random_bytes(20, i);
    all.emplace_back(std::span(data.data() + i, 1 + i * 37 % 350), i % 2 ? &key : nullptr);
  }
  check_jobs(all);
}

// Where lanes end together and where they do not: a group may skip the outer hash only if no job of it has a key.
TEST(Batches, OneWithKeyOrWithoutInEveryPlace) {
  const Bytes data = random_bytes(2'000, 33), key = random_bytes(20, 34);
  for (const std::size_t count : {2, 3, 4, 8, 16, 17, 32, 33}) {
    for (std::size_t place = 0; place < count; ++place) {
      for (const bool keyed : {true, false}) {
        for (const std::size_t longer : {0, 1, 50}) {
          std::deque<Whole> all;
          for (std::size_t i = 0; i < count; ++i) {
            all.emplace_back(std::span(data.data() + i, 100 + i * longer), (i == place) == keyed ? &key : nullptr);
          }
          check_jobs(all);
        }
      }
    }
  }
}

TEST(Batches, OneMessageAndOneKeyForAll) {
  const Bytes data = random_bytes(200, 17), key_bytes = random_bytes(20, 18);
  Key key;
  prepare(key, key_bytes);
  std::vector<std::array<std::uint8_t, digest_bytes>> digests(50);
  std::vector<Job> jobs;
  for (auto& digest : digests) {
    jobs.push_back({data.data(), data.size(), &key, digest.data(), digest_bytes, Status::waiting});
  }
  const OwnManager manager(make_manager());
  batch(*manager, jobs);
  const Bytes expected = oracle::hmac(key_bytes, data);
  for (auto& digest : digests) {
    EXPECT_TRUE(same(digest, expected)) << "of a batch";
    digest = {};
  }
  std::size_t back = 0;
  for (Job& job : jobs) back += submit(*manager, job) != nullptr;
  while (flush(*manager)) ++back;
  EXPECT_EQ(back, jobs.size());
  for (const auto& digest : digests) EXPECT_TRUE(same(digest, expected)) << "through submit and flush";
}

// Fewer than a stage holds or gathers, and more; as few as none in the batch, and more than are sorted at once.
TEST(Batches, WhatTheManagerHadIsFinishedToo) {
  const Bytes data = random_bytes(1'500, 35), key = random_bytes(20, 36);
  for (const std::size_t before : {1, 3, 15, 127, 150}) {
    for (const std::size_t count : {0, 1, 20, 1'100}) {
      const OwnManager manager(make_manager());
      std::deque<Whole> submitted, all;
      for (std::size_t i = 0; i < before; ++i) submitted.emplace_back(std::span(data.data(), 1 + i), &key);
      for (std::size_t i = 0; i < count; ++i) all.emplace_back(std::span(data.data() + i, 300 - i % 200), &key);
      do_in_batch_behind(submitted, *manager, all);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Batches, MoreJobsThan16BitsCount) {
  constexpr std::size_t lengths = 97, count = 65'536 + 70;
  const Bytes data = random_bytes(lengths, 50), key_bytes = random_bytes(20, 51);
  Key key;
  prepare(key, key_bytes);
  std::vector<Bytes> expected;
  for (std::size_t size = 1; size <= lengths; ++size) {
    expected.push_back(oracle::hmac(key_bytes, std::span(data).first(size)));
  }
  std::vector<std::array<std::uint8_t, digest_bytes>> digests(count);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < count; ++i) {
    jobs.push_back({data.data(), 1 + i % lengths, &key, digests[i].data(), digest_bytes, Status::waiting});
  }
  batch(*OwnManager(make_manager()), jobs);
  for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(same(digests[i], expected[i % lengths])) << "job " << i;
}

TEST(Memory, AnyAddress) {
  const Bytes data = random_bytes(400, 19), key = random_bytes(20, 20);
  for (std::size_t shift = 0; shift < 65; ++shift) {
    std::deque<Whole> all;
    for (const std::size_t size : {64, 200, 55, 130, 64, 1, 320}) {
      all.emplace_back(std::span(data.data() + shift, size), &key);
      Bytes& room = all.back().room;
      room.insert(room.begin(), shift, untouched);
      room.resize(digest_bytes + 2 * border + shift);
      all.back().job.digest = room.data() + shift + border;
    }
    do_one_by_one(*OwnManager(make_manager()), all);
  }
}

// The same message and key by their addresses, and other ones by what stands there.
TEST(Memory, OtherBytesInTheSamePlace) {
  Bytes message(100), digest(digest_bytes);
  Key key;
  const OwnManager manager(make_manager());
  for (std::uint64_t round = 0; round < 6; ++round) {
    const Bytes key_bytes = random_bytes(20, round / 2);  // one of the two is new
    Generator((round + 1) / 2).fill(message);
    prepare(key, key_bytes);
    Job job{message.data(), message.size(), &key, digest.data(), digest_bytes, Status::waiting};
    batch(*manager, {&job, 1});
    EXPECT_TRUE(same(digest, oracle::hmac(key_bytes, message))) << "round " << round;
  }
}

// The same for as many jobs as fill vectors, given to one manager again and again.
TEST(Memory, OtherKeysInTheSamePlaceInLanes) {
  constexpr std::size_t count = 40;
  const Bytes data = random_bytes(100 + count, 40);
  std::vector<Key> keys(count);
  std::vector<Bytes> digests(count, Bytes(digest_bytes));
  const OwnManager manager(make_manager());
  for (std::uint64_t round = 0; round < 4; ++round) {
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < count; ++i) {
      prepare(keys[i], random_bytes(20, 100 * round + i));
      jobs.push_back({data.data() + i, 100, &keys[i], digests[i].data(), digest_bytes, Status::waiting});
    }
    do_all(*manager, std::span(jobs), round % 2 == 0 ? By::batch : By::jobs);
    for (std::size_t i = 0; i < count; ++i) {
      const Bytes expected = oracle::hmac(random_bytes(20, 100 * round + i), std::span(data).subspan(i, 100));
      EXPECT_TRUE(same(digests[i], expected)) << "job " << i << ", round " << round;
    }
  }
}

struct Lanes {
  std::size_t count;
  bool equal = false;  // all of `size` bytes
};

// Guarded are messages and digests of the first lanes, and their key; there cannot be many guards at a time.
void check_between_guards(GuardedBuffer::Against side, std::size_t size, const Lanes& group) {
  constexpr std::size_t guarded_lanes = 6;
  const std::size_t lanes = group.count;
  std::deque<GuardedBuffer> guarded;
  std::deque<Bytes> plain;
  const Bytes key_bytes = random_bytes(20, size);
  Key& key = guarded.emplace_back(sizeof(Key), side).as<Key>()[0];
  prepare(key, key_bytes);
  const std::span jobs = guarded.emplace_back(lanes * sizeof(Job), side).as<Job>();
  std::vector<Bytes> expected;
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto room = [&](std::size_t bytes) -> std::span<std::uint8_t> {
      if (i >= guarded_lanes) return plain.emplace_back(bytes);
      return guarded.emplace_back(bytes, side).as<std::uint8_t>();
    };
    const bool longer = i == 3 || i > 10 || (lanes < 4 && i == 1);
    const std::size_t unequal = i == 4 ? 1 : longer ? size + 70 : size;
    const auto message = room(group.equal ? size : unequal);
    Generator(i).fill(message);
    const std::size_t digest_size = i % 4 == 1 && !ladder::lacks("truncated") ? 12 : digest_bytes;
    jobs[i] = {message.data(),           message.size(), i % 3 == 2 ? nullptr : &key,
               room(digest_size).data(), digest_size,    Status::waiting};
    expected.push_back(jobs[i].key ? oracle::hmac(key_bytes, message) : oracle::sha1(message));
  }
  const OwnManager manager(make_manager());
  for (const By by : {By::batch, By::jobs}) {
    do_all(*manager, jobs, by);
    for (std::size_t i = 0; i < lanes; ++i) {
      const Job& job = jobs[i];
      EXPECT_TRUE(std::equal(job.digest, job.digest + job.digest_size, expected[i].begin()))
          << size << " bytes, job " << i << " of " << lanes;
      std::fill_n(job.digest, job.digest_size, untouched);
    }
  }
}

TEST(Memory, NothingOutsideIsTouched) {
  for (std::size_t size = ladder::lacks("empty") ? 1 : 0; size <= 200; ++size) {
    for (const auto side : {GuardedBuffer::Against::back, GuardedBuffer::Against::front}) {
      for (const std::size_t count : {2, 3, 4, 5, 6, 7, 20}) check_between_guards(side, size, {count});
      for (const std::size_t count : {1, 2, 3, 4, 8, 16, 17}) check_between_guards(side, size, {count, true});
    }
  }
}

TEST(Memory, NothingOutsideAKeyIsRead) {
  const Bytes data = random_bytes(100, 41);
  const OwnManager manager(make_manager());
  for (const auto side : {GuardedBuffer::Against::back, GuardedBuffer::Against::front}) {
    for (std::size_t size = 0; size <= 130; ++size) {
      GuardedBuffer buffer(size, side);
      const auto bytes = buffer.as<std::uint8_t>();
      Generator(size).fill(bytes);
      Key key;
      prepare(key, bytes);
      Bytes digest(digest_bytes);
      Job job{data.data(), data.size(), &key, digest.data(), digest_bytes, Status::waiting};
      batch(*manager, {&job, 1});
      EXPECT_TRUE(same(digest, oracle::hmac(bytes, data))) << "a key of " << size << " bytes";
    }
  }
}

struct PreparedKey {
  Bytes bytes;
  Key key;
};

// Of 0 to 99 bytes. A library may take its time to prepare one, so there are only these.
const PreparedKey& wild_key(Generator& generator) {
  static const std::vector<PreparedKey> keys = [] {
    std::vector<PreparedKey> all(100);
    for (std::size_t size = 0; size < all.size(); ++size) {
      all[size].bytes = random_bytes(size, 200 + size);
      prepare(all[size].key, all[size].bytes);
    }
    return all;
  }();
  return keys[generator.between(0, keys.size() - 1)];
}

// Of a wild length, or with the message of another job, and one in ten invalid.
Whole& add_wild(std::deque<Whole>& all, Generator& generator) {
  static const Bytes data = random_bytes(20'000, 21);
  const std::size_t kind = generator.between(0, 99);
  const std::size_t size = kind < 75 ? generator.between(0, 200) : kind < 99 ? generator.between(0, 1'500) : 9'000;
  std::span<const std::uint8_t> message(data.data() + generator.between(0, 10'000), size);
  if (!all.empty() && generator.between(0, 4) == 0) message = all[generator.between(0, all.size() - 1)].message;
  const PreparedKey* const key = generator.between(0, 3) ? &wild_key(generator) : nullptr;
  std::size_t digest_size = generator.between(0, 2) ? digest_bytes : generator.between(1, digest_bytes);
  if (!can_do(message.size(), digest_size, key)) message = {data.data(), 64}, digest_size = digest_bytes;
  Whole& one = key ? all.emplace_back(message, &key->bytes, digest_size, &key->key)
                   : all.emplace_back(message, nullptr, digest_size);
  if (generator.between(0, 9) == 0) one.spoil(faults[generator.between(0, std::size(faults) - 1)]);
  return one;
}

// Most sequences are short, but some are so long, and flushed so seldom, that a stage that gathers jobs has its fill.
bool is_long(std::size_t sequence) { return sequence % 20 == 0; }

TEST(Sequences, EveryJobComesBackOnce) {
  const OwnManager manager(make_manager());
  for (std::size_t sequence = 0; sequence < 3'000; ++sequence) {
    Generator generator(sequence);
    Ledger ledger(*manager);
    std::deque<Whole> all;
    for (std::size_t i = generator.between(1, is_long(sequence) ? 500 : 20); i > 0; --i) {
      ledger.submit(add_wild(all, generator));
      if (i % 8 == 0) ledger.expect_the_others_waiting();
      if (generator.between(0, is_long(sequence) ? 300 : 10) == 0) ledger.flush_one();
      if (generator.between(0, is_long(sequence) ? 600 : 20) == 0) ledger.flush();
    }
    ledger.flush();
    for (const Whole& one : all) one.expect_finished();
    if (testing::Test::HasFailure()) return;
  }
}

// In batches, of one as of more than a stage takes at a time.
TEST(Sequences, EveryJobOfABatchIsDone) {
  const OwnManager manager(make_manager());
  for (std::size_t sequence = 0; sequence < 600; ++sequence) {
    Generator generator(20'000 + sequence);
    std::deque<Whole> all;
    const std::size_t count = sequence % 200 == 0 ? generator.between(1'025, 2'500) : generator.between(1, 40);
    while (all.size() < count) add_wild(all, generator);
    do_in_batch(*manager, all);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Sequences, TheRingKeepsTheOrder) {
  const OwnManager manager(make_manager());
  OrderedLedger ledger(*manager);
  for (std::size_t sequence = 0; sequence < 1'000; ++sequence) {
    Generator generator(10'000 + sequence);
    std::deque<Whole> all;
    for (std::size_t i = generator.between(1, is_long(sequence) ? 500 : 20); i > 0; --i) {
      ledger.submit(add_wild(all, generator));
      if (generator.between(0, 3) == 0) {
        while (ledger.completed()) {
        }
      }
      if (generator.between(0, 15) == 0 && ledger.under_way() != 0) ledger.flush_one();
    }
    ledger.flush();
    for (const Whole& one : all) one.expect_finished();
    if (testing::Test::HasFailure()) return;
  }
}

// A short one.
Whole& add_another(std::deque<Whole>& all) {
  static const Bytes data = random_bytes(100, 25), key = random_bytes(20, 26);
  return all.emplace_back(data, &key);
}

struct RingTest : testing::Test {
  const OwnManager manager{make_manager()};
  OrderedLedger ledger{*manager};
  std::deque<Whole> all;
  const std::function<Whole&()> another = [this]() -> Whole& { return add_another(all); };
};

// One that takes longer than all those that the ring has places for.
TEST_F(RingTest, ALongJobHoldsUpTheShortOnesBehindIt) {
  const Bytes data = random_bytes(60'000, 23), key = random_bytes(20, 24);
  for (std::size_t i = 0; i < 1'000; ++i) {
    ledger.submit(all.emplace_back(std::span(data.data(), i % 300 == 0 ? 60'000 : 8), &key));
  }
  ledger.flush();
  for (const Whole& one : all) one.expect_done();
}

TEST_F(RingTest, AFullOneIsNoEmptyOne) { check_full_ring(ledger, faults, another); }
TEST_F(RingTest, AFullOneGoesOn) { check_that_a_full_ring_goes_on(ledger, faults, another); }
TEST_F(RingTest, CompletedDoesNoWork) { check_that_completed_does_no_work(ledger, another); }
TEST_F(RingTest, CompletedGivesAllThatAreFinishedInTurn) { check_that_completed_gives_all(ledger, faults, another); }

TEST(InvalidJobs, KeepTheirPlacesInTheRing) {
  for (const Fault& fault : faults) {
    for (const int first : {0, 1}) {
      const OwnManager manager(make_manager());
      OrderedLedger ledger(*manager);
      std::deque<Whole> all;
      for (int i = 0; i < 7; ++i) {
        Whole& one = add_another(all);
        if (i % 2 == first) one.spoil(fault);
        ledger.submit(one);
      }
      ledger.flush();
      EXPECT_EQ(problem(*manager), fault.problem);
    }
  }
}

TEST(InvalidJobs, EachIsHandedBackWithItsProblem) {
  const OwnManager manager(make_manager());
  EXPECT_EQ(problem(*manager), Problem::none);
  for (const Fault& fault : faults) {
    std::deque<Whole> all;
    for (int i = 0; i < 3; ++i) add_another(all);
    all[1].spoil(fault);
    do_one_by_one(*manager, all);
    EXPECT_EQ(problem(*manager), fault.problem);

    for (Whole& one : all) one.again();
    const OwnManager other(make_manager());
    do_in_batch(*other, all);
    EXPECT_EQ(problem(*other), fault.problem);
    EXPECT_EQ(problem(*OwnManager(make_manager())), Problem::none) << "of another manager";
  }
}

TEST(InvalidJobs, AnywhereInABatch) {
  const OwnManager manager(make_manager());
  std::deque<Whole> all;
  check_invalid_anywhere_in_a_batch(*manager, faults, all, [&]() -> Whole& { return add_another(all); });
}

TEST(InvalidJobs, OnesAloneInABatchFinishWhatTheManagerHad) {
  const Bytes data = random_bytes(1'500, 37), key = random_bytes(20, 38);
  const auto wait = [&](std::deque<Whole>& submitted, std::size_t i) {
    submitted.emplace_back(std::span(data.data(), 1 + i), &key);
  };
  check_invalid_ones_finish_what_waits<Whole>([] { return OwnManager(make_manager()); }, faults, wait, add_another);
}

// Two in one thread, by turns: neither may know of the other's jobs.
TEST(Managers, TwoByTurns) {
  const Bytes data = random_bytes(1'000, 28);
  const OwnManager managers[] = {OwnManager(make_manager()), OwnManager(make_manager())};
  Ledger ledgers[] = {Ledger(*managers[0]), Ledger(*managers[1])};
  std::deque<Whole> all;
  for (std::size_t i = 0; i < 301; ++i) {
    const Bytes key = random_bytes(20, i);
    ledgers[i % 2].submit(all.emplace_back(std::span(data.data() + i, 1 + i * 41 % 500), &key));
  }
  for (Ledger& ledger : ledgers) ledger.flush();
  for (const Whole& one : all) one.expect_done();
}

TEST(Managers, OneForEachThread) {
  const Bytes data = random_bytes(3'000, 27);
  for (const std::size_t count : {1, 2, 7, 200}) {
    SCOPED_TRACE(std::to_string(count) + " jobs a call");
    std::vector<std::deque<Whole>> all(ladder::threads);
    for (std::size_t thread = 0; thread < ladder::threads; ++thread) {
      for (std::size_t i = 0; i < count; ++i) {
        const Bytes key = random_bytes(20, 1'000 * thread + i);
        all[thread].emplace_back(std::span(data.data() + thread, 1 + (i * 61 + thread) % 700), &key);
      }
    }
    check_one_for_each_thread(all, 10'000 / count, [] { return OwnManager(make_manager()); });
  }
}

// Longer than a block, so that a key is hashed first. To prepare one takes no manager: threads share nothing.
TEST(Keys, ArePreparedByThreadsAtOnce) {
  ladder::expect_right_in_threads(500, [](std::size_t thread) {
    const Bytes bytes = random_bytes(5'000, 60 + thread), data = random_bytes(100, 70 + thread);
    return [=, expected = oracle::hmac(bytes, data), manager = OwnManager(make_manager()), digest = Bytes(digest_bytes),
            key = Key()]() mutable {
      prepare(key, bytes);
      Job job{data.data(), data.size(), &key, digest.data(), digest_bytes, Status::waiting};
      batch(*manager, {&job, 1});
      return same(digest, expected);
    };
  });
}

// The bits of 2^29 bytes are the fewest that a word of 32 bits cannot count; with the block of a key there are more.
// One other job, or sixteen, have one byte each: stages may treat few jobs of unequal lengths in another way, and
// enough jobs to fill vectors. This takes seconds where other tests take none. Pages that nobody has written to take no
// memory. The answers are those of
//   head -c 1 /dev/zero | openssl sha1
//   (head -c 536870812 /dev/zero; head -c 100 /dev/zero | tr '\0' x) | openssl sha1
//   (head -c 536870776 /dev/zero; head -c 100 /dev/zero | tr '\0' x) | openssl sha1 -hmac key
TEST(HugeMessages, MoreBitsThan32BitsCount) {
  if (ladder::lacks("long")) GTEST_SKIP() << "takes no message of this length";
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  Key key;
  prepare(key, std::array<std::uint8_t, 3>{'k', 'e', 'y'});
  GuardedBuffer buffer(1 << 29, GuardedBuffer::Against::back);
  const auto message = buffer.as<std::uint8_t>(), behind = message.subspan(36);
  std::ranges::fill(message.last(100), 'x');
  for (const std::size_t more : {1, 16}) {
    Bytes hash(digest_bytes), code(digest_bytes);
    std::vector<Bytes> others(more, Bytes(digest_bytes));
    std::vector<Job> jobs{{message.data(), message.size(), nullptr, hash.data(), digest_bytes, Status::waiting},
                          {behind.data(), behind.size(), &key, code.data(), digest_bytes, Status::waiting}};
    for (Bytes& other : others)
      jobs.push_back({message.data(), 1, nullptr, other.data(), digest_bytes, Status::waiting});
    const OwnManager manager(make_manager());
    for (Job& job : jobs) submit(*manager, job);
    while (flush(*manager)) {
    }
    EXPECT_TRUE(same(hash, ladder::from_hex("2dff46dce6d2190ffcb56b7b72060bfa255d2da1"))) << more << " short ones";
    EXPECT_TRUE(same(code, ladder::from_hex("995c4a976127665b6797c9c4e721448c5123c500"))) << more << " short ones";
    for (const Bytes& other : others) {
      EXPECT_TRUE(same(other, ladder::from_hex("5ba93c9db0cff93f52b521d7420e43f6eda2784f"))) << more << " short ones";
    }
  }
}

}  // namespace
}  // namespace hmac_sha1
