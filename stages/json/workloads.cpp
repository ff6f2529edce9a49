// The workloads of the JSON case: the document's 250 objects, long strings, hostile ones, and one object of many sizes.
#include "common/workload.hpp"
#include "tests/json/oracle.hpp"
#include "tests/json/texts.hpp"

namespace json {
namespace {

using ladder::Generator;
using ladder::Role;

struct Strings {
  std::string name, content;
};

// One list of things, written again and again into the same string. Before each call the first name changes, so a
// cached answer is wrong.
class Writing : public ladder::Workload {
 public:
  explicit Writing(std::vector<Strings> strings) : strings_(std::move(strings)) {
    for (const Strings& one : strings_) things_.push_back({one.name, one.content});
  }

  void call() override {
    ++calls_;
    strings_.front().name.front() = static_cast<char>('a' + calls_ % 26);
    write(out_, things_);
  }

  // All of the text is compared.
  std::string wrong(std::size_t) const override { return oracle::difference(things_, out_, calls_); }

 private:
  std::vector<Strings> strings_;
  std::vector<Thing> things_;
  std::string out_;
  std::size_t calls_ = 0;
};

using Text = std::string (*)(std::size_t, Generator&);

struct Sizes {
  std::size_t low, high;  // both included
};

std::vector<Strings> strings(std::size_t count, Sizes name, Text name_text, Sizes content, Text content_text) {
  Generator random(count + content.high);
  std::vector<Strings> all(count);
  for (Strings& one : all) {
    one.name = name_text(random.between(name.low, name.high), random);
    one.content = content_text(random.between(content.low, content.high), random);
  }
  return all;
}

// `bytes` are those of the strings.
ladder::WorkloadEntry writing(const std::string& name, Role role, std::vector<Strings> strings) {
  std::size_t bytes = 0;
  for (const Strings& one : strings) bytes += one.name.size() + one.content.size();
  return {name, role, bytes, [=] { return std::make_unique<Writing>(strings); }};
}

}  // namespace
}  // namespace json

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace json;
  using namespace json::texts;
  static const std::vector<WorkloadEntry> entries = [] {
    constexpr std::size_t objects = 250;  // as many as the document's
    std::vector<WorkloadEntry> all{
        writing("objects", Role::main, strings(objects, {5, 20}, prose, {40, 200}, prose)),
        writing("long", Role::main, strings(8, {5, 20}, prose, {16'000, 17'000}, prose)),
        writing("hostile", Role::once, strings(objects, {5, 20}, hostile, {40, 200}, hostile)),
        writing("controls", Role::once, strings(objects, {5, 20}, controls, {40, 200}, controls)),
        writing("empty", Role::once, strings(objects, {1, 1}, prose, {0, 0}, prose)),
    };
    // One object, whose name is one letter: sizes around the widths of vectors.
    for (const std::size_t bytes :
         {2, 5, 9, 16, 17, 18, 32, 33, 34, 64, 65, 66, 100, 250, 1'000, 4'000, 16'384, 65'536, 262'144}) {
      all.push_back(writing("sweep/" + std::to_string(bytes), Role::sweep,
                            strings(1, {1, 1}, prose, {bytes - 1, bytes - 1}, prose)));
    }
    return all;
  }();
  return entries;
}
