// Is a stage right? Known answers, comparison with the oracle at every length that may matter, and the contract's
// promises: each job back exactly once, whatever was submitted around it.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

#include "aes-cbc/constants.hpp"
#include "aes-cbc/in_order.hpp"
#include "aes-cbc/peers/with_cipher.hpp"
#include "aes-cbc/schedule.hpp"
#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/lacks.hpp"
#include "common/records.hpp"
#include "oracle.hpp"
#include "tests/in_order_check.hpp"
#include "tests/jobs_check.hpp"
#include "tests/random.hpp"
#include "tests/threads.hpp"

// The ring that is linked is checked, which a mutant may have brought, and no copy that is inlined here.
extern template class ladder::InOrder<aes_cbc::Manager, aes_cbc::Job>;

namespace aes_cbc {
namespace {

using Bytes = oracle::Bytes;
using View = oracle::View;
using ladder::Generator;
using ladder::GuardedBuffer;
using ladder::random_bytes;
using namespace ladder::jobs_check;
using Fault = ladder::jobs_check::Fault<Job>;

const std::filesystem::path vectors = LADDER_VECTORS;

constexpr std::uint8_t untouched = 0xFF;
constexpr std::size_t border = 64;  // bytes before and behind a buffer that nobody may touch

enum class Where { apart, in_place };

// A job with all that belongs to it.
struct Whole {
  // `shift` bytes move all of it to another address.
  Whole(View text, View key, View iv, Where where = Where::apart, std::size_t shift = 0)
      : key_bytes(key.begin(), key.end()),
        iv_room(shift + block_bytes, untouched),
        in(border + shift, untouched),
        out(2 * border + shift + text.size(), untouched) {
    expand(this->key, std::span<const std::uint8_t, block_bytes>(key));
    std::copy(iv.begin(), iv.end(), iv_room.begin() + static_cast<std::ptrdiff_t>(shift));
    in.insert(in.end(), text.begin(), text.end());
    in.resize(in.size() + border, untouched);
    if (where == Where::in_place) out = in;
    place = border + shift;
    job = {where == Where::in_place ? out.data() + place : in.data() + place,
           out.data() + place,
           text.size(),
           &this->key,
           iv_room.data() + shift,
           Status::waiting};
    expected = oracle::encrypt(key, iv, text);
    start = *this;
  }
  Whole(const Whole&) = delete;  // the job points into it
  Whole& operator=(const Whole&) = delete;

  void spoil(const Fault& fault) {
    fault.spoil(job);
    valid = false;
  }

  void again() {
    out = start.out;
    job.status = Status::waiting;
  }

  // The result is right, and nothing else was written: not around it, nor in key and iv.
  void expect_done() const {
    EXPECT_EQ(job.status, Status::done);
    Bytes wanted = start.out;
    std::copy(expected.begin(), expected.end(), wanted.begin() + static_cast<std::ptrdiff_t>(place));
    const auto first =
        std::mismatch(out.begin(), out.end(), wanted.begin()).first - out.begin() - static_cast<std::ptrdiff_t>(place);
    EXPECT_TRUE(out == wanted) << "byte " << first << " of " << expected.size() << " (block "
                               << (first < 0 ? "before the first" : std::to_string(first / 16)) << ") is wrong";
    expect_rest_as_it_was();
  }
  void expect_refused() const {
    EXPECT_EQ(job.status, Status::invalid);
    EXPECT_TRUE(out == start.out) << "an invalid job was worked on";
    expect_rest_as_it_was();
  }
  bool is_right() const { return std::equal(expected.begin(), expected.end(), job.out); }
  void expect_finished() const { valid ? expect_done() : expect_refused(); }

  struct Start {
    Start& operator=(const Whole& whole) {
      in = whole.in, out = whole.out, iv_room = whole.iv_room, key = whole.key;
      return *this;
    }
    Bytes in, out, iv_room;
    Key key;
  };

  Bytes key_bytes;
  Bytes iv_room, in, out;
  std::size_t place = 0;  // of the text, in both
  Key key;
  Job job;
  bool valid = true;
  Bytes expected;
  Start start;

 private:
  void expect_rest_as_it_was() const {
    EXPECT_TRUE(in == start.in && iv_room == start.iv_room) << "what is only read was written";
    EXPECT_TRUE(key.encrypting == start.key.encrypting && key.decrypting == start.key.decrypting);
  }
};

using Ledger = ladder::jobs_check::Ledger<Manager, Whole>;
using OrderedLedger = ladder::jobs_check::OrderedLedger<Ring, Whole>;

// Every way in which a job can be invalid.
constexpr Fault faults[] = {
    {[](Job& job) { job.in = nullptr; }, Problem::null_pointer},
    {[](Job& job) { job.out = nullptr; }, Problem::null_pointer},
    {[](Job& job) { job.key = nullptr; }, Problem::null_pointer},
    {[](Job& job) { job.iv = nullptr; }, Problem::null_pointer},
    {[](Job& job) { job.size = 1; }, Problem::not_whole_blocks},
    {[](Job& job) { job.size = 95; }, Problem::not_whole_blocks},
    {[](Job& job) { job.size = SIZE_MAX; }, Problem::not_whole_blocks},
    {[](Job& job) { job.size = most_bytes + block_bytes; }, Problem::too_long},
    {[](Job& job) { job.size = SIZE_MAX - 15; }, Problem::too_long},
};

bool can_do(std::size_t size) {
  if (ladder::lacks("empty") && size == 0) return false;
  return !ladder::lacks("long") || size <= 65'534;
}

// The key and the iv of a number.
Bytes key_of(std::uint64_t number) { return random_bytes(block_bytes, 2 * number); }
Bytes iv_of(std::uint64_t number) { return random_bytes(block_bytes, 2 * number + 1); }

void add(std::deque<Whole>& all, View text, Where where = Where::apart, std::size_t shift = 0) {
  if (can_do(text.size())) all.emplace_back(text, key_of(all.size()), iv_of(all.size()), where, shift);
}

// The key is that of the first job.
void add_with_first_key(std::deque<Whole>& all, View text, Where where = Where::apart, std::size_t shift = 0) {
  if (all.empty()) return add(all, text, where, shift);
  if (!can_do(text.size())) return;
  all.emplace_back(text, all[0].key_bytes, iv_of(all.size()), where, shift).job.key = all[0].job.key;
}

// And back, where the result stands.
void check_decrypting(std::deque<Whole>& all) {
  std::vector<Job> jobs;
  for (Whole& one : all) {
    jobs.push_back(one.job);
    jobs.back().in = jobs.back().out;
  }
  const std::vector<Job> before = jobs;
  decrypt(jobs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Whole& one = all[i];
    EXPECT_EQ(jobs[i].status, Status::done);
    EXPECT_TRUE(but_for_status(jobs[i]) == but_for_status(before[i])) << "deciphered, job " << i;
    Bytes wanted = one.start.out;
    std::copy_n(one.start.in.begin() + static_cast<std::ptrdiff_t>(one.place), one.job.size,
                wanted.begin() + static_cast<std::ptrdiff_t>(one.place));
    EXPECT_TRUE(one.out == wanted) << "deciphered, " << one.job.size << " bytes";
  }
}

// In a batch, through submit and flush, in a batch after that, and back again.
void check_jobs(std::deque<Whole>& all) {
  if (testing::Test::HasFailure()) return;  // there is nothing more to be learnt
  const OwnManager manager(make_manager());
  do_in_batch(*manager, all);
  for (Whole& one : all) one.again();
  do_one_by_one(*manager, all);
  for (Whole& one : all) one.again();
  do_in_batch(*manager, all);
  check_decrypting(all);
}

// NIST's records of both directions; those of the way back are enciphered, too.
std::size_t check_records(const char* file) {
  std::deque<Whole> all;
  std::map<std::string, std::string> record;
  for (const std::string& line : ladder::read_lines(vectors / file)) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos) continue;  // [ENCRYPT] or [DECRYPT]
    record[line.substr(0, equals)] = line.substr(equals + 3);
    if (!record.contains("PLAINTEXT") || !record.contains("CIPHERTEXT")) continue;
    all.emplace_back(ladder::from_hex(record.at("PLAINTEXT")), ladder::from_hex(record.at("KEY")),
                     ladder::from_hex(record.at("IV")));
    EXPECT_EQ(all.back().expected, ladder::from_hex(record.at("CIPHERTEXT"))) << "the oracle";
    EXPECT_EQ(
        oracle::decrypt(ladder::from_hex(record.at("KEY")), ladder::from_hex(record.at("IV")), all.back().expected),
        ladder::from_hex(record.at("PLAINTEXT")))
        << "the oracle";
    record.clear();
  }
  check_jobs(all);
  return all.size();
}

TEST(KnownAnswers, Nist) {
  if (!with_kernel || !with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  EXPECT_EQ(check_records("CBCGFSbox128.rsp"), 14u);
  EXPECT_EQ(check_records("CBCKeySbox128.rsp"), 42u);
  EXPECT_EQ(check_records("CBCVarKey128.rsp"), 256u);
  EXPECT_EQ(check_records("CBCVarTxt128.rsp"), 256u);
  EXPECT_EQ(check_records("CBCMMT128.rsp"), 20u);
}

TEST(KnownAnswers, Sp80038a) {
  if (!with_kernel || !with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const auto records = ladder::read_records(vectors / "sp800-38a.txt");
  ASSERT_EQ(records.size(), 1u);
  const auto value = [&](const char* name) { return ladder::from_hex(records[0].at(name)); };
  std::deque<Whole> all;
  for (int i = 0; i < 40; ++i) all.emplace_back(value("plaintext"), value("key"), value("iv"));
  EXPECT_EQ(all.back().expected, value("ciphertext")) << "the oracle";
  check_jobs(all);
}

TEST(Lengths, EveryLength) {
  const Bytes data = random_bytes(2'200, 1);
  std::deque<Whole> all;
  for (std::size_t size = 0; size <= data.size(); size += block_bytes) add(all, View(data.data(), size));
  check_jobs(all);
}

TEST(Lengths, EveryLengthAlone) {
  const Bytes data = random_bytes(320, 2);
  for (std::size_t size = 0; size <= data.size(); size += block_bytes) {
    std::deque<Whole> one;
    add(one, View(data.data(), size));
    check_jobs(one);
  }
}

// More blocks than a counter of 16 bits holds, beside short buffers, and more bytes than one of 16 bits does: in a few
// jobs, and in more than a stage may treat as few, with a key each and with one key.
TEST(Lengths, MoreThan16BitsCount) {
  if (ladder::lacks("long")) GTEST_SKIP() << "takes no buffer of this length";
  const Bytes data = random_bytes(262'149 * block_bytes, 3);
  for (const auto& [more, add_one] : {std::pair(0, &add), std::pair(12, &add), std::pair(12, &add_with_first_key)}) {
    std::deque<Whole> all;
    for (const std::size_t blocks : {3, 65'541, 4'098, 4'096, 65'536, 4}) {
      add_one(all, View(data.data(), blocks * block_bytes), Where::apart, 0);
    }
    for (int i = 0; i < more; ++i) {
      const bool is_long = i % 8 == 2;  // jobs 8 and 16, which are in the upper half of the lanes and in a second set
      add_one(all, View(data.data(), (is_long ? 65'538 : 5) * block_bytes), Where::apart, 0);
    }
    check_jobs(all);
  }
  const std::vector<std::vector<std::size_t>> few_jobs{
      {65'541},       {65'541, 65'537},      {4'098},
      {4'098, 4'096}, {4'098, 4'096, 4'097}, {262'149, 4}};  // the longest has more than four times 65,536 blocks
  for (const std::vector<std::size_t>& few : few_jobs) {
    std::deque<Whole> all;
    for (const std::size_t blocks : few) add(all, View(data.data(), blocks * block_bytes));
    check_jobs(all);
  }
}

// One less and one more than every number of lanes or of jobs that a stage may gather.
TEST(Batches, EveryNumberOfJobs) {
  const Bytes data = random_bytes(2'000, 4);
  for (std::size_t count = 0; count <= 140; ++count) {
    Generator generator(count);
    std::deque<Whole> all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t blocks = generator.between(1, count % 3 == 0 ? 4 : 25);
      add(all, View(data.data() + generator.between(0, 1'000), blocks * block_bytes));
    }
    check_jobs(all);
  }
}

// As many as a sort may have counters too small for, of one length and of many.
TEST(Batches, ManyJobs) {
  const Bytes data = random_bytes(1'000, 5);
  for (const std::size_t most : {1, 7}) {
    std::deque<Whole> all;
    for (std::size_t i = 0; i < 3'000; ++i) {
      add(all, View(data.data() + i % 800, (1 + i * i % most) * block_bytes));
    }
    check_jobs(all);
  }
}

// All jobs read one text from its beginning, with one key and iv. So each result is the beginning of the longest one.
TEST(Batches, MoreJobsThan16BitsCount) {
  constexpr std::size_t count = 65'536 + 70, most = 3 * block_bytes;
  const Bytes text = random_bytes(most, 31), key_bytes = key_of(31), iv = iv_of(31);
  const Bytes expected = oracle::encrypt(key_bytes, iv, text);
  Key key;
  expand(key, std::span<const std::uint8_t, block_bytes>(key_bytes));
  std::vector<std::array<std::uint8_t, most>> outs(count);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < count; ++i) {
    jobs.push_back({text.data(), outs[i].data(), (1 + i % 3) * block_bytes, &key, iv.data(), Status::waiting});
  }
  batch(*OwnManager(make_manager()), jobs);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(jobs[i].status, Status::done) << "job " << i;
    ASSERT_TRUE(std::equal(outs[i].begin(), outs[i].begin() + jobs[i].size, expected.begin())) << "job " << i;
    jobs[i].in = jobs[i].out;
    jobs[i].status = Status::waiting;
  }
  decrypt(jobs);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(jobs[i].status, Status::done) << "deciphered, job " << i;
    ASSERT_TRUE(std::equal(outs[i].begin(), outs[i].begin() + jobs[i].size, text.begin())) << "deciphered, job " << i;
  }
}

// Lanes that end at once, or with the first blocks, beside a long one: where others hung or went wrong.
TEST(Batches, ShortLanesBesideLongOnes) {
  const Bytes data = random_bytes(9'600, 6);
  for (const std::size_t little : {0, 1, 2, 3, 4, 5, 8}) {
    for (std::size_t place = 0; place < 36; ++place) {
      std::deque<Whole> all;
      for (std::size_t i = 0; i < 36; ++i) {
        add(all, View(data.data(), (i == place ? 599 - place : little) * block_bytes));
      }
      check_jobs(all);
    }
  }
}

// What a lane's job before left there must not be used: lengths, keys and blocks.
TEST(Batches, NothingStaysInALane) {
  const Bytes data = random_bytes(6'000, 7);
  std::deque<Whole> all;
  for (int round = 0; round < 10; ++round) {
    for (const std::size_t blocks : {319, 7, 5, 4, 3, 2, 1, 0}) {
      for (int i = 0; i < 11; ++i) add(all, View(data.data() + i, blocks * block_bytes));
    }
  }
  check_jobs(all);
}

// One key for all, for some, for all but one: where a stage may look whether it has to change the key.
TEST(Batches, SharedKeys) {
  const Bytes data = random_bytes(800, 8);
  Key keys[2];
  const Bytes key_bytes[] = {key_of(1'000), key_of(1'001)};
  for (int i = 0; i < 2; ++i) expand(keys[i], std::span<const std::uint8_t, block_bytes>(key_bytes[i]));
  for (std::size_t other = 0; other <= 70; ++other) {
    std::deque<Whole> all;
    for (std::size_t i = 0; i < 70; ++i) {
      const bool second = other == 69 ? i % 2 == 0 : i == other;
      all.emplace_back(View(data.data() + i, (1 + i % 13) * block_bytes), key_bytes[second], iv_of(i));
      all.back().job.key = &keys[second];
    }
    check_jobs(all);
  }
}

// Half of them are empty: there are groups of lanes that have nothing to do.
TEST(Batches, OneKeyForEveryNumberOfJobs) {
  const Bytes data = random_bytes(300, 25);
  for (std::size_t count = 0; count <= 70; ++count) {
    std::deque<Whole> all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t blocks = i % 2 == 0 ? 0 : 1 + i % 13;
      add_with_first_key(all, View(data.data() + i, blocks * block_bytes), i % 3 ? Where::apart : Where::in_place);
    }
    check_jobs(all);
  }
}

// Longer than any whose number of blocks a sort may have a bin of its own for.
TEST(Batches, NoneButLongBuffers) {
  const Bytes data = random_bytes(5'000, 26);
  std::deque<Whole> all;
  for (std::size_t i = 0; i < 50; ++i) add(all, View(data.data() + i, (256 + i * 37 % 50) * block_bytes));
  check_jobs(all);
}

// From one job to more than fill all lanes. The buffers are so long that a stage may lay out their keys first.
TEST(Batches, LongBuffersForEveryNumberOfJobs) {
  const Bytes data = random_bytes(700, 33);
  for (std::size_t count = 1; count <= 33; ++count) {
    std::deque<Whole> all;
    for (std::size_t i = 0; i < count; ++i) add(all, View(data.data() + i, (33 + i * 5 % 7) * block_bytes));
    check_jobs(all);
  }
}

// An iv and a text for all, too.
TEST(Batches, OneOfEverything) {
  const Bytes text = random_bytes(208, 9), iv = iv_of(1), key_bytes = key_of(1);
  std::deque<Whole> all;
  for (int i = 0; i < 50; ++i) {
    all.emplace_back(text, key_bytes, iv);
    all.back().job.key = all.front().job.key;
    all.back().job.iv = all.front().job.iv;
    all.back().job.in = all.front().job.in;
  }
  check_jobs(all);
}

// Fewer than a stage holds or gathers, and more; as few as none in the batch, and more than are sorted at once.
TEST(Batches, WhatTheManagerHadIsFinishedToo) {
  const Bytes data = random_bytes(1'500, 28);
  for (const std::size_t before : {1, 3, 15, 127, 150}) {
    // The first job of a batch has 20 blocks, or one to three: where it is short, a stage may take another way.
    for (const auto& [count, shorter] :
         {std::pair(0, 0), {1, 0}, {20, 0}, {1'100, 0}, {1, 19}, {20, 19}, {20, 18}, {20, 17}}) {
      const OwnManager manager(make_manager());
      std::deque<Whole> submitted, all;
      for (std::size_t i = 0; i < before; ++i) add(submitted, View(data.data(), (1 + i % 40) * block_bytes));
      for (int i = 0; i < count; ++i) {
        add(all, View(data.data() + i, static_cast<std::size_t>(20 - (i + shorter) % 20) * block_bytes));
      }
      do_in_batch_behind(submitted, *manager, all);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Memory, AnyAddress) {
  const Bytes data = random_bytes(500, 10);
  for (std::size_t shift = 0; shift < 65; ++shift) {
    std::deque<Whole> all;
    for (const std::size_t blocks : {4, 12, 3, 8, 4, 1, 20}) {
      add(all, View(data.data(), blocks * block_bytes), shift % 2 ? Where::in_place : Where::apart, shift);
    }
    check_jobs(all);
  }
}

// Long enough for a way to the border of a line, in every lane: 16 of them and one more.
TEST(Memory, LongBuffersAtAnyAddress) {
  const Bytes data = random_bytes(400, 27);
  for (std::size_t shift = 0; shift < 65; ++shift) {
    for (const bool one_key : {false, true}) {
      std::deque<Whole> all;
      for (std::size_t i = 0; i < 17; ++i) {
        const View text(data.data() + i, (16 + i * 5 % 7) * block_bytes);
        (one_key ? add_with_first_key : add)(all, text, i % 2 ? Where::in_place : Where::apart, shift);
      }
      check_jobs(all);
    }
  }
}

TEST(Memory, InPlace) {
  const Bytes data = random_bytes(1'600, 11);
  std::deque<Whole> all;
  for (std::size_t i = 0; i < 200; ++i) {
    add(all, View(data.data(), i * 29 % 100 * block_bytes), i % 3 ? Where::in_place : Where::apart);
  }
  check_jobs(all);
}

// Other keys at the addresses of the keys before. A manager may have kept something of those.
TEST(Memory, OtherKeysInTheSamePlaceInLanes) {
  constexpr std::size_t count = 40;
  const Bytes data = random_bytes(200 + count, 32), iv = iv_of(32);
  for (const std::size_t distinct : {count, std::size_t{1}}) {
    const OwnManager manager(make_manager());
    std::vector<Key> keys(distinct);
    std::vector<Bytes> outs(count, Bytes(160));
    for (std::uint64_t round = 0; round < 4; ++round) {
      std::vector<Job> jobs;
      for (std::size_t i = 0; i < distinct; ++i) {
        const Bytes key_bytes = key_of(100 * round + i);
        expand(keys[i], std::span<const std::uint8_t, block_bytes>(key_bytes));
      }
      for (std::size_t i = 0; i < count; ++i) {
        jobs.push_back({data.data() + i, outs[i].data(), 160, &keys[i % distinct], iv.data(), Status::waiting});
      }
      do_all(*manager, std::span(jobs), round % 2 == 0 ? By::batch : By::jobs);
      for (std::size_t i = 0; i < count; ++i) {
        const View text(data.data() + i, 160);
        EXPECT_EQ(outs[i], oracle::encrypt(key_of(100 * round + i % distinct), iv, text))
            << "job " << i << ", round " << round << ", keys: " << distinct;
        jobs[i].in = outs[i].data();
      }
      decrypt(jobs);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(std::equal(outs[i].begin(), outs[i].end(), data.begin() + i)) << "deciphered, job " << i;
      }
    }
  }
}

// Pools of buffers of one size, as packets stand in: lanes whose lines share a set of the cache, where `stride` is a
// multiple of 2,048. Apart, the last buffer ends at a guard page. In place it ends 8 bytes before one, so
// no buffer begins at a multiple of 16.
void check_pool(std::size_t count, std::size_t stride, bool one_key, Where where) {
  const auto size = [stride](std::size_t i) -> std::size_t { return i % 5 == 0 ? stride : 1'360; };
  const std::size_t bytes = (count - 1) * stride + size(count - 1);
  GuardedBuffer pool(bytes + (where == Where::in_place ? 8 : 0), GuardedBuffer::Against::back);
  const std::span in = pool.as<std::uint8_t>().first(bytes);
  std::ranges::copy(random_bytes(bytes, 12), in.begin());
  Bytes elsewhere(bytes, untouched);
  const std::span out = where == Where::in_place ? in : std::span(elsewhere);
  Bytes wanted(out.begin(), out.end());
  const Bytes iv = iv_of(1);
  std::deque<Key> keys;
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes key_bytes = key_of(one_key ? 1 : i);
    if (i == 0 || !one_key) expand(keys.emplace_back(), std::span<const std::uint8_t, block_bytes>(key_bytes));
    const View text = in.subspan(i * stride, size(i));
    jobs.push_back({text.data(), &out[i * stride], text.size(), &keys.back(), iv.data(), Status::waiting});
    std::ranges::copy(oracle::encrypt(key_bytes, iv, text), wanted.begin() + static_cast<std::ptrdiff_t>(i * stride));
  }
  const OwnManager manager(make_manager());
  batch(*manager, jobs);
  EXPECT_TRUE(std::ranges::equal(out, wanted))
      << count << " buffers, " << stride << " bytes apart, " << (one_key ? "one key" : "a key each")
      << (where == Where::in_place ? ", in place" : "");
  EXPECT_TRUE(std::ranges::all_of(pool.as<std::uint8_t>().subspan(bytes), [](std::uint8_t byte) { return byte == 0; }));
}

// The second number leaves a rest that is padded to a group. Buffers of the third pool have more bytes than 16 bits
// count.
TEST(Memory, Pools) {
  for (const auto& [count, stride] : {std::pair(67, 2'048), std::pair(75, 2'048), std::pair(17, 34 * 2'048)}) {
    if (stride > UINT16_MAX && ladder::lacks("long")) continue;
    for (const bool one_key : {true, false}) {
      for (const Where where : {Where::apart, Where::in_place}) check_pool(count, stride, one_key, where);
    }
  }
}

struct Lanes {
  std::size_t count;
  bool equal = false;  // all of `size` bytes
  bool own_keys = false;
};

// Guarded are the buffers of the first lanes, a key and an iv; there cannot be many guards at a time.
void check_between_guards(GuardedBuffer::Against side, std::size_t size, const Lanes& group) {
  constexpr std::size_t guarded_lanes = 6;
  const std::size_t lanes = group.count;
  std::deque<GuardedBuffer> guarded;
  std::deque<Bytes> plain;
  const Bytes iv_bytes = iv_of(size);
  std::vector<Bytes> key_bytes;
  std::deque<Key> own_keys(lanes);
  std::vector<Key*> keys(lanes, guarded.emplace_back(sizeof(Key), side).as<Key>().data());
  for (std::size_t i = 0; i < lanes; ++i) {
    key_bytes.push_back(key_of(group.own_keys ? i : size));
    if (group.own_keys && i > 0) keys[i] = &own_keys[i];
    expand(*keys[i], std::span<const std::uint8_t, block_bytes>(key_bytes[i]));
  }
  const auto iv = guarded.emplace_back(block_bytes, side).as<std::uint8_t>();
  std::copy(iv_bytes.begin(), iv_bytes.end(), iv.begin());
  const std::span jobs = guarded.emplace_back(lanes * sizeof(Job), side).as<Job>();
  std::vector<Bytes> texts;
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto room = [&](std::size_t bytes) -> std::uint8_t* {
      if (i >= guarded_lanes) return plain.emplace_back(std::max<std::size_t>(bytes, 1)).data();  // no null
      return guarded.emplace_back(bytes, side).as<std::uint8_t>().data();
    };
    const std::size_t unequal = i == 4 ? block_bytes : i == 3 || i > 10 ? size + 5 * block_bytes : size;
    const std::size_t mine = group.equal ? size : unequal;
    std::uint8_t* const in = room(mine);
    texts.push_back(random_bytes(mine, i));
    std::copy(texts.back().begin(), texts.back().end(), in);
    jobs[i] = {in, i % 5 == 0 ? in : room(mine), mine, keys[i], iv.data(), Status::waiting};
  }
  const OwnManager manager(make_manager());
  for (const By by : {By::batch, By::jobs}) {
    do_all(*manager, jobs, by);
    std::vector<Job> back(jobs.begin(), jobs.end());
    for (std::size_t i = 0; i < lanes; ++i) {
      const Bytes expected = oracle::encrypt(key_bytes[i], iv_bytes, texts[i]);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), jobs[i].out))
          << size << " bytes, job " << i << " of " << lanes;
      back[i].in = jobs[i].out;
    }
    decrypt(back);
    for (std::size_t i = 0; i < lanes; ++i) {
      EXPECT_TRUE(std::equal(texts[i].begin(), texts[i].end(), jobs[i].out))
          << size << " bytes, job " << i << " of " << lanes;
    }
  }
}

TEST(Memory, NothingOutsideIsTouched) {
  for (std::size_t size = ladder::lacks("empty") ? block_bytes : 0; size <= 300; size += block_bytes) {
    for (const Lanes& lanes : {Lanes{1}, {2}, {3}, {4}, {20}, {16, true}, {16, true, true}}) {
      check_between_guards(GuardedBuffer::Against::back, size, lanes);
      check_between_guards(GuardedBuffer::Against::front, size, lanes);
    }
  }
}

TEST(OracleOfKeys, NothingOutsideAKeyIsRead) {
  const Bytes key_bytes = key_of(34);
  Key expected;
  expand(expected, std::span<const std::uint8_t, block_bytes>(key_bytes));
  for (const auto side : {GuardedBuffer::Against::back, GuardedBuffer::Against::front}) {
    GuardedBuffer buffer(block_bytes, side);
    const auto bytes = buffer.as<std::uint8_t>();
    std::ranges::copy(key_bytes, bytes.begin());
    Key key;
    expand(key, std::span<const std::uint8_t, block_bytes>(bytes));
    EXPECT_TRUE(key.encrypting == expected.encrypting && key.decrypting == expected.decrypting);
  }
}

// Another job of wild length; now and then it reads what the one before it reads, has that one's key, or is invalid.
Whole& add_wild(std::deque<Whole>& all, View data, Generator& generator) {
  const Whole* const before = all.empty() ? nullptr : &all.back();
  const auto one_in = [&](std::uint64_t count) { return generator.between(1, count) == 1; };
  const bool same_input = before && before->valid && before->job.in != before->job.out && one_in(4);
  const bool same_key = before && one_in(3);
  const std::size_t most = one_in(200) ? 560 : one_in(5) ? 60 : 6;
  std::size_t size = generator.between(0, most) * block_bytes;
  if (!can_do(size)) size = 4 * block_bytes;
  const View text = same_input ? View(before->job.in, before->job.size) : data.subspan(generator.between(0, 999), size);
  const Bytes key = same_key ? before->key_bytes : key_of(generator()), iv = iv_of(generator());
  const Where where = one_in(3) ? Where::in_place : Where::apart;
  Whole& one = all.emplace_back(text, key, iv, where, generator.between(0, 17));
  if (same_input) one.job.in = before->job.in;
  if (same_key && before->valid) one.job.key = before->job.key;
  if (one_in(10)) one.spoil(faults[generator.between(0, std::size(faults) - 1)]);
  return one;
}

// Mostly a few jobs, now and then more than a stage gathers.
std::size_t wild_count(std::size_t sequence, Generator& generator) {
  return generator.between(1, sequence % 100 == 0 ? 400 : 12);
}

// Thousands of sequences of jobs, some flushed in between, the manager the same all along.
TEST(Sequences, EveryJobComesBackOnce) {
  const Bytes data = random_bytes(10'000, 13);
  const OwnManager manager(make_manager());
  for (std::size_t sequence = 0; sequence < 3'000; ++sequence) {
    Generator generator(sequence);
    Ledger ledger(*manager);
    std::deque<Whole> all;
    for (std::size_t i = wild_count(sequence, generator); i > 0; --i) {
      ledger.submit(add_wild(all, data, generator));
      ledger.expect_the_others_waiting();
      if (generator.between(0, 15) == 0) ledger.flush_one();
      if (generator.between(0, 40) == 0) ledger.flush();
      ledger.expect_the_others_waiting();
    }
    ledger.flush();
    for (const Whole& one : all) one.expect_finished();
    if (testing::Test::HasFailure()) return;
  }
}

// In batches, of one as of more than a stage takes at a time.
TEST(Sequences, EveryJobOfABatchIsDone) {
  const Bytes data = random_bytes(10'000, 24);
  const OwnManager manager(make_manager());
  for (std::size_t sequence = 0; sequence < 600; ++sequence) {
    Generator generator(20'000 + sequence);
    std::deque<Whole> all;
    const std::size_t count = sequence % 200 == 0 ? generator.between(1'025, 2'500) : generator.between(1, 40);
    while (all.size() < count) add_wild(all, data, generator);
    do_in_batch(*manager, all);
    if (testing::Test::HasFailure()) return;
  }
}

// The same through the ring: in the order in which they were submitted.
TEST(Sequences, TheRingKeepsTheOrder) {
  const Bytes data = random_bytes(10'000, 14);
  const OwnManager manager(make_manager());
  OrderedLedger ledger(*manager);
  for (std::size_t sequence = 0; sequence < 2'000; ++sequence) {
    Generator generator(10'000 + sequence);
    std::deque<Whole> all;
    for (std::size_t i = wild_count(sequence, generator); i > 0; --i) {
      ledger.submit(add_wild(all, data, generator));
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
  static const Bytes data = random_bytes(96, 18);
  return all.emplace_back(data, key_of(all.size()), iv_of(all.size()));
}

struct RingTest : testing::Test {
  const OwnManager manager{make_manager()};
  OrderedLedger ledger{*manager};
  std::deque<Whole> all;
  const std::function<Whole&()> another = [this]() -> Whole& { return add_another(all); };
};

// One that takes longer than all those that the ring has places for.
TEST_F(RingTest, ALongJobHoldsUpTheShortOnesBehindIt) {
  const Bytes data = random_bytes(60'000, 15);
  for (std::size_t i = 0; i < 1'000; ++i) {
    add(all, View(data.data(), (i % 300 == 0 ? 3'750 : 1) * block_bytes));
    ledger.submit(all.back());
  }
  ledger.flush();
  for (const Whole& one : all) one.expect_done();
}

TEST_F(RingTest, AFullOneIsNoEmptyOne) { check_full_ring(ledger, faults, another); }
TEST_F(RingTest, AFullOneGoesOn) { check_that_a_full_ring_goes_on(ledger, faults, another); }
TEST_F(RingTest, CompletedDoesNoWork) { check_that_completed_does_no_work(ledger, another); }
TEST_F(RingTest, CompletedGivesAllThatAreFinishedInTurn) { check_that_completed_gives_all(ledger, faults, another); }

TEST(InvalidJobs, KeepTheirPlacesInTheRing) {
  const OwnManager manager(make_manager());
  OrderedLedger ledger(*manager);
  for (const Fault& fault : faults) {
    std::deque<Whole> all;
    for (int i = 0; i < 40; ++i) {
      add_another(all);
      if (i % 3 == 1) all.back().spoil(fault);
      ledger.submit(all.back());
    }
    ledger.flush();
    EXPECT_EQ(problem(*manager), fault.problem);
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

    std::deque<Whole> alone;
    add_another(alone).spoil(fault);
    const OwnManager third(make_manager());
    do_in_batch(*third, alone);
    EXPECT_EQ(problem(*third), fault.problem);

    std::vector<Job> jobs;
    for (Whole& one : all) {
      one.again();
      jobs.push_back(one.job);
    }
    decrypt(jobs);
    EXPECT_EQ(jobs[0].status, Status::done);
    EXPECT_EQ(jobs[2].status, Status::done);
    all[1].job.status = jobs[1].status;
    all[1].expect_refused();
  }
}

TEST(InvalidJobs, AnywhereInABatch) {
  const Bytes data = random_bytes(96, 25);
  const OwnManager manager(make_manager());
  std::deque<Whole> all;
  check_invalid_anywhere_in_a_batch(*manager, faults, all, [&]() -> Whole& { return add_another(all); });
  check_invalid_anywhere_in_a_batch(*manager, faults, all, [&]() -> Whole& {
    add_with_first_key(all, data);
    return all.back();
  });
  // Where the first job is short, a stage may take another way.
  check_invalid_anywhere_in_a_batch(*manager, faults, all, [&]() -> Whole& {
    add(all, View(data.data(), all.empty() ? block_bytes : data.size()));
    return all.back();
  });
}

TEST(InvalidJobs, OnesAloneInABatchFinishWhatTheManagerHad) {
  const Bytes data = random_bytes(1'500, 29);
  const auto wait = [&](std::deque<Whole>& submitted, std::size_t i) {
    add(submitted, View(data.data(), (3 + i) * block_bytes));
  };
  check_invalid_ones_finish_what_waits<Whole>([] { return OwnManager(make_manager()); }, faults, wait, add_another);
}

TEST(InvalidJobs, AProblemIsThatOfItsManagerAlone) {
  const Bytes data = random_bytes(96, 22);
  const OwnManager untouched_one(make_manager()), with_valid_jobs(make_manager()), manager(make_manager());
  std::deque<Whole> all;
  for (int i = 0; i < 2; ++i) add(all, data);
  all[0].spoil(faults[0]);
  Ledger(*manager).submit(all[0]);
  EXPECT_EQ(problem(*manager), faults[0].problem);
  Ledger valid(*with_valid_jobs);
  valid.submit(all[1]);
  valid.flush();
  EXPECT_EQ(problem(*with_valid_jobs), Problem::none);
  EXPECT_EQ(problem(*untouched_one), Problem::none);
  EXPECT_EQ(problem(*OwnManager(make_manager())), Problem::none);
}

// Two in one thread, by turns: neither may know of the other's jobs.
TEST(Managers, TwoByTurns) {
  const Bytes data = random_bytes(1'000, 23);
  const OwnManager managers[] = {OwnManager(make_manager()), OwnManager(make_manager())};
  Ledger ledgers[] = {Ledger(*managers[0]), Ledger(*managers[1])};
  std::deque<Whole> all;
  for (std::size_t i = 0; i < 601; ++i) {
    add(all, View(data.data() + i % 300, (1 + i * 41 % 40) * block_bytes));
    ledgers[i % 2].submit(all.back());
  }
  for (Ledger& ledger : ledgers) ledger.flush();
  for (const Whole& one : all) one.expect_done();
}

enum class Shared { nothing, key, input };

// For each thread jobs of its own.
std::vector<std::deque<Whole>> jobs_for_threads(View data, std::size_t count, Shared shared = Shared::nothing) {
  std::vector<std::deque<Whole>> all(ladder::threads);
  for (std::size_t thread = 0; thread < ladder::threads; ++thread) {
    std::deque<Whole>& jobs = all[thread];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t blocks = shared == Shared::input ? 20 : 1 + (i * 61 + thread) % 30;
      const std::uint64_t key = 1'000 * thread + (shared == Shared::key ? 0 : i);
      jobs.emplace_back(data.subspan(thread, blocks * block_bytes), key_of(key), iv_of(i));
      if (shared == Shared::key) jobs.back().job.key = jobs.front().job.key;
      if (shared == Shared::input) jobs.back().job.in = jobs.front().job.in;
    }
  }
  return all;
}

TEST(Managers, OneForEachThread) {
  const Bytes data = random_bytes(1'000, 17);
  for (const auto& [count, shared] : {std::pair(1, Shared::nothing),
                                      {3, Shared::nothing},
                                      {6, Shared::nothing},
                                      {100, Shared::nothing},
                                      {20, Shared::key},
                                      {17, Shared::input}}) {
    SCOPED_TRACE(std::to_string(count) + " jobs a call");
    std::vector<std::deque<Whole>> all = jobs_for_threads(data, static_cast<std::size_t>(count), shared);
    check_one_for_each_thread(all, 5'000 / count, [] { return OwnManager(make_manager()); });
  }
}

TEST(Decrypting, InSeveralThreads) {
  const Bytes data = random_bytes(1'000, 24);
  for (const std::size_t count : {1, 3, 100}) {
    SCOPED_TRACE(std::to_string(count) + " jobs a call");
    std::vector<std::deque<Whole>> all = jobs_for_threads(data, count);
    ladder::expect_right_in_threads(5'000 / count, [&](std::size_t thread) {
      std::vector<Job> back;
      for (const Whole& one : all[thread]) {
        back.push_back(one.job);
        back.back().in = one.expected.data();
      }
      return [&jobs = all[thread], back]() mutable {
        for (Whole& one : jobs) one.again();
        decrypt(back);
        const bool right = std::ranges::all_of(
            jobs, [](const Whole& one) { return std::equal(one.job.in, one.job.in + one.job.size, one.job.out); });
        return right ? testing::AssertionSuccess() : testing::AssertionFailure() << "wrongly deciphered";
      };
    });
  }
}

}  // namespace
}  // namespace aes_cbc
