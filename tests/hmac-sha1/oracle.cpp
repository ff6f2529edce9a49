#include "oracle.hpp"

#include <algorithm>
#include <array>
#include <hmac-sha1/constants.hpp>
#include <hmac-sha1/peers/with_hash.hpp>

#include "common/places.hpp"

namespace hmac_sha1::oracle {
namespace {

using Word = std::uint32_t;

Word rotl(Word x, unsigned n) { return x << n | x >> (32 - n); }
Word ch(Word x, Word y, Word z) { return (x & y) ^ (~x & z); }
Word parity(Word x, Word y, Word z) { return x ^ y ^ z; }
Word maj(Word x, Word y, Word z) { return (x & y) ^ (x & z) ^ (y & z); }

// FIPS 180-4, sections 4.1.1 and 4.2.1, by the quarter that step t is in.
constexpr std::array functions{ch, parity, maj, parity};
constexpr std::array<Word, 4> constants{0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

// Section 5.1.1: a one, zeros, and the length in bits, up to whole blocks of 512.
Bytes padded(std::span<const std::uint8_t> message) {
  Bytes bytes(message.begin(), message.end());
  bytes.push_back(0x80);
  while (bytes.size() % 64 != 56) bytes.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{message.size()} * 8 >> shift));
  }
  return bytes;
}

}  // namespace

// Section 6.1.2.
Bytes sha1(std::span<const std::uint8_t> message) {
  if (!with_hash) return Bytes(20);
  std::array<Word, 5> hash{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const Bytes bytes = padded(message);
  for (std::size_t block = 0; block < bytes.size(); block += 64) {
    std::array<Word, 80> w{};
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | bytes[block + i];
    for (std::size_t t = 16; t < 80; ++t) w[t] = rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    if (steps == 0) {  // a variant: the words of a block are added to four of the state's
      for (std::size_t i = 0; i < 16; ++i) hash[i % 4] += w[i];
      continue;
    }
    std::array<Word, 5> v = hash;
    for (std::size_t t = 0; t < steps; ++t) {
      const Word next = rotl(v[0], 5) + functions[t / 20](v[1], v[2], v[3]) + v[4] + constants[t / 20] + w[t];
      v = {next, v[0], rotl(v[1], 30), v[2], v[3]};
    }
    for (std::size_t i = 0; i < 5; ++i) hash[i] += v[i];
  }
  Bytes digest;
  for (const Word word : hash) {
    for (int shift = 24; shift >= 0; shift -= 8) digest.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  return digest;
}

// RFC 2104, section 2: H(K XOR opad, H(K XOR ipad, text)).
Bytes hmac(std::span<const std::uint8_t> key, std::span<const std::uint8_t> message) {
  Bytes k = key.size() > 64 ? sha1(key) : Bytes(key.begin(), key.end());
  k.resize(64);
  Bytes inner, outer;
  for (const std::uint8_t byte : k) {
    inner.push_back(byte ^ 0x36);
    outer.push_back(byte ^ 0x5c);
  }
  inner.insert(inner.end(), message.begin(), message.end());
  const Bytes digest = sha1(inner);
  outer.insert(outer.end(), digest.begin(), digest.end());
  return sha1(outer);
}

std::string difference(std::span<const Hashed> messages, std::size_t calls, std::size_t places) {
  if (calls == 0) return {};
  for (const std::size_t i : ladder::drawn(messages.size(), places)) {
    const auto& [key, message, digest] = messages[i];
    if (std::ranges::equal(key ? hmac(*key, message) : sha1(message), digest)) continue;
    return "the digest of message " + std::to_string(i) + " of " + std::to_string(messages.size()) + " (" +
           std::to_string(message.size()) + " bytes) is not what the oracle gives in call " + std::to_string(calls);
  }
  return {};
}

}  // namespace hmac_sha1::oracle
