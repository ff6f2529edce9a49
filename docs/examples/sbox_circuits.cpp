// Searches small Boolean circuits for the S-boxes of DES, by random tries of the method of M. Kwan ("Reducing the gate
// count of bitslice DES", 2000). It prints the smallest circuit in the form of
// stages/des3-cbc/06-bit-slicing/boxes.hpp.
//
//   g++ -std=c++20 -O3 -I stages docs/examples/sbox_circuits.cpp -o sbox_circuits
//   ./sbox_circuits INPUTS BOX TRIES [SEED]     INPUTS of a gate: 2 or 3; BOX: 1 to 8
//
// The circuits of the stages are the best of some thousands of tries.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "des3-cbc/06-bit-slicing/circuit.hpp"

namespace {

using des3_cbc::Gate;
using Word = std::uint64_t;  // the truth table of a function of six inputs

constexpr Word inputs[6] = {0xFFFFFFFF00000000, 0xFFFF0000FFFF0000, 0xFF00FF00FF00FF00,
                            0xF0F0F0F0F0F0F0F0, 0xCCCCCCCCCCCCCCCC, 0xAAAAAAAAAAAAAAAA};
// Gates of two inputs: and, or, xor, a & ~b, b & ~a. The last one becomes a & ~b with its inputs exchanged.
constexpr std::uint8_t tables_of_two[] = {0xC0, 0xFC, 0x3C, 0x30, 0x0C};
constexpr std::size_t max_gates = std::tuple_size_v<decltype(des3_cbc::Circuit::gates)>;

std::mt19937_64 generator;

Word apply(unsigned table, Word a, Word b, Word c) {
  Word result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return result;
}

// The gates so far, and the truth tables of the six inputs and of these gates.
struct Network {
  std::vector<Word> values{std::begin(inputs), std::end(inputs)};
  std::vector<Gate> gates;

  std::size_t add(unsigned table, std::size_t a, std::size_t b = 0, std::size_t c = 0) {
    values.push_back(apply(table, values[a], values[b], values[c]));
    const auto number = [](std::size_t value) { return static_cast<std::uint8_t>(value); };
    gates.push_back({number(table), number(a), number(b), number(c)});
    return values.size() - 1;
  }

  // The values in random order: each try finds other circuits.
  std::vector<std::size_t> shuffled() const {
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), generator);
    return order;
  }
};

// A function to make: `result`, but only for the inputs in `mask`. For all others any value will do.
struct Target {
  Word result, mask;

  bool is_met_by(Word value) const { return ((value ^ result) & mask) == 0; }

  // The truth table with which a gate of these three inputs makes the result, if there is one.
  std::optional<unsigned> table(Word a, Word b, Word c) const {
    unsigned found = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const Word cell = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c) & mask;
      if ((cell & result) == 0) continue;
      if ((cell & ~result) != 0) return std::nullopt;
      found |= 1u << i;
    }
    return found;
  }
};

using Made = std::optional<std::size_t>;  // the number of the value that meets the target, if one was found

// One more gate, or two, of values that the network has.

Made with_one_of_two(Network& network, const Target& target, const std::vector<std::size_t>& order) {
  for (const std::size_t a : order) {
    if (target.is_met_by(~network.values[a])) return network.add(0x0F, a);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      for (const unsigned table : tables_of_two) {
        if (target.is_met_by(apply(table, network.values[order[i]], network.values[order[j]], 0))) {
          return table == 0x0C ? network.add(0x30, order[j], order[i]) : network.add(table, order[i], order[j]);
        }
      }
    }
  }
  return std::nullopt;
}

Made with_two_of_two(Network& network, const Target& target, const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      for (const unsigned first : tables_of_two) {
        const Word value = apply(first, network.values[order[i]], network.values[order[j]], 0);
        for (const std::size_t k : order) {
          for (const unsigned second : tables_of_two) {
            if (!target.is_met_by(apply(second, value, network.values[k], 0))) continue;
            const std::size_t made =
                first == 0x0C ? network.add(0x30, order[j], order[i]) : network.add(first, order[i], order[j]);
            return second == 0x0C ? network.add(0x30, k, made) : network.add(second, made, k);
          }
        }
      }
    }
  }
  return std::nullopt;
}

Made with_one_of_three(Network& network, const Target& target, const std::vector<std::size_t>& order) {
  const auto& values = network.values;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      for (std::size_t k = j + 1; k < order.size(); ++k) {
        const auto table = target.table(values[order[i]], values[order[j]], values[order[k]]);
        if (table) return network.add(*table, order[i], order[j], order[k]);
      }
    }
  }
  return std::nullopt;
}

// The table of a first gate, whose result a second gate combines with l and m to make the target. `cells[i]` are the
// inputs for which the first gate looks up bit i of its table. For some values of l and m, one cell may need the target
// to be one and another cell zero. Then these two bits of the table differ. Two such cells are adjacent in a graph, and
// a colouring of it with two colours is a table.
std::optional<unsigned> first_table(const Target& target, const Word (&cells)[8], Word l, Word m) {
  unsigned differs[8] = {};
  for (const Word region : {~l & ~m, ~l & m, l & ~m, l & m}) {
    unsigned ones = 0, zeros = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const Word cell = cells[i] & region & target.mask;
      if ((cell & target.result) != 0) ones |= 1u << i;
      if ((cell & ~target.result) != 0) zeros |= 1u << i;
    }
    if ((ones & zeros) != 0) return std::nullopt;
    for (unsigned i = 0; i < 8; ++i) differs[i] |= (ones >> i & 1 ? zeros : 0) | (zeros >> i & 1 ? ones : 0);
  }
  unsigned table = 0, known = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (known >> i & 1) continue;
    known |= 1u << i;
    for (std::vector<unsigned> next{i}; !next.empty();) {
      const unsigned from = next.back();
      next.pop_back();
      for (unsigned to = 0; to < 8; ++to) {
        if ((differs[from] >> to & 1) == 0) continue;
        if ((known >> to & 1) == 0) {
          known |= 1u << to;
          if ((table >> from & 1) == 0) table |= 1u << to;
          next.push_back(to);
        } else if ((table >> to & 1) == (table >> from & 1)) {
          return std::nullopt;
        }
      }
    }
  }
  return table;
}

Made with_two_of_three(Network& network, const Target& target, const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      for (std::size_t k = j + 1; k < order.size(); ++k) {
        const Word a = network.values[order[i]], b = network.values[order[j]], c = network.values[order[k]];
        Word cells[8];
        for (unsigned cell = 0; cell < 8; ++cell) cells[cell] = apply(1u << cell, a, b, c);
        for (std::size_t l = 0; l < order.size(); ++l) {
          for (std::size_t m = l + 1; m < order.size(); ++m) {
            const Word d = network.values[order[l]], e = network.values[order[m]];
            const auto first = first_table(target, cells, d, e);
            if (!first) continue;
            const auto second = target.table(apply(*first, a, b, c), d, e);
            if (!second) continue;
            return network.add(*second, network.add(*first, order[i], order[j], order[k]), order[l], order[m]);
          }
        }
      }
    }
  }
  return std::nullopt;
}

Made make(Network& network, const Target& target, unsigned gate_inputs, unsigned split, std::size_t limit);

// Shannon expansion: the target where one input is 0, the target where it is 1, and the choice between both. The choice
// is one gate of three inputs. With two inputs it is two gates: low ^ (bit & high), where `high` is what differs.
Made by_expansion(Network& network, const Target& target, unsigned gate_inputs, unsigned split, std::size_t limit) {
  std::optional<Network> best;
  std::size_t made = 0;
  // Gates of two inputs need more divisions. So below the first one only some bits are tried, to save time.
  const int depth = std::popcount(split);
  unsigned bits[6] = {0, 1, 2, 3, 4, 5}, left_to_try = gate_inputs == 3 || depth == 0 ? 6 : depth == 1 ? 3 : 2;
  std::shuffle(std::begin(bits), std::end(bits), generator);
  for (const unsigned bit : bits) {
    if ((split >> bit & 1) != 0) continue;
    if (left_to_try-- == 0) break;
    Network tried = network;
    const unsigned now = split | 1u << bit;
    const std::size_t left = limit - (4 - gate_inputs);
    const auto low = make(tried, {target.result, target.mask & ~inputs[bit]}, gate_inputs, now, left);
    if (!low) continue;
    const Word high_result = gate_inputs == 3 ? target.result : target.result ^ tried.values[*low];
    const auto high = make(tried, {high_result, target.mask & inputs[bit]}, gate_inputs, now, left);
    if (!high) continue;
    const std::size_t joined =
        gate_inputs == 3 ? tried.add(0xCA, bit, *high, *low) : tried.add(0x3C, *low, tried.add(0xC0, *high, bit));
    if (tried.gates.size() > limit) continue;
    limit = tried.gates.size() - 1;
    best = std::move(tried);
    made = joined;
  }
  if (!best) return std::nullopt;
  network = *std::move(best);
  return made;
}

// Kwan's order: a value that is there, one gate more, two gates more, and the expansion last. The bits of `split` are
// the inputs by which the target was expanded already. `limit` is the maximum number of gates in the network.
Made make(Network& network, const Target& target, unsigned gate_inputs, unsigned split, std::size_t limit) {
  const std::vector<std::size_t> order = network.shuffled();
  for (const std::size_t value : order) {
    if (target.is_met_by(network.values[value])) return value;
  }
  if (network.gates.size() + 1 > limit) return std::nullopt;
  if (const Made made = (gate_inputs == 2 ? with_one_of_two : with_one_of_three)(network, target, order)) return made;
  if (network.gates.size() + 2 > limit) return std::nullopt;
  if (const Made made = (gate_inputs == 2 ? with_two_of_two : with_two_of_three)(network, target, order)) return made;
  if (network.gates.size() + 3 > limit) return std::nullopt;
  return by_expansion(network, target, gate_inputs, split, limit);
}

// The word whose bit i is bit `bit` of the S-box's result for input i.
Word wanted(unsigned box, unsigned bit) {
  Word word = 0;
  for (unsigned six = 0; six < 64; ++six) {
    word |= static_cast<Word>(des3_cbc::substituted(box, six) >> (3 - bit) & 1) << six;
  }
  return word;
}

struct Found {
  Network network;
  std::size_t results[4];
};

std::optional<Found> search(unsigned gate_inputs, unsigned box, std::size_t limit) {
  Found found;
  unsigned bits[4] = {0, 1, 2, 3};
  std::shuffle(std::begin(bits), std::end(bits), generator);
  for (const unsigned bit : bits) {
    const Made made = make(found.network, {wanted(box, bit), ~Word{0}}, gate_inputs, 0, limit);
    if (!made) return std::nullopt;
    found.results[bit] = *made;
  }
  return found;
}

void print(const Found& found) {
  const auto& r = found.results;
  std::printf("    {{%zu, %zu, %zu, %zu}, %zu, {{\n", r[0], r[1], r[2], r[3], found.network.gates.size());
  for (const Gate& gate : found.network.gates) {
    std::printf("         {0x%02X, %u, %u, %u},\n", gate.table, gate.a, gate.b, gate.c);
  }
  std::puts("    }}},");
}

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int i) { return i < count ? std::strtoul(words[i], nullptr, 10) : 0; };
  const unsigned gate_inputs = static_cast<unsigned>(number(1)), box = static_cast<unsigned>(number(2));
  if (gate_inputs < 2 || gate_inputs > 3 || box < 1 || box > 8 || number(3) < 1) {
    std::fputs("Type: sbox_circuits INPUTS BOX TRIES [SEED], with 2 or 3 inputs of a gate and a box of 1 to 8.\n",
               stderr);
    return 2;
  }
  generator.seed(number(4));
  std::optional<Found> best;
  for (unsigned long i = 0; i < number(3); ++i) {
    auto found = search(gate_inputs, box - 1, best ? best->network.gates.size() - 1 : max_gates);
    if (found) best = std::move(found);
  }
  if (!best) {
    std::fprintf(stderr, "No circuit of %zu gates or fewer was found. Try more often.\n", max_gates);
    return 1;
  }
  for (unsigned bit = 0; bit < 4; ++bit) {
    if (best->network.values[best->results[bit]] == wanted(box - 1, bit)) continue;
    std::fputs("The circuit does not give the results of the table.\n", stderr);
    return 1;
  }
  print(*best);
}
