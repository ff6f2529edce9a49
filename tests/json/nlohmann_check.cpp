// What a stage writes, read back by a parser that shares no code with the oracle; and what the document's code writes.
// links: nlohmann_json
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/lacks.hpp"
#include "texts.hpp"

namespace json {
namespace {

using ladder::Generator;
using Tree = nlohmann::json;

std::string content_of(const Tree& tree) { return tree.at(0).at("content").get<std::string>(); }

TEST(ReadBack, EveryStringIsWhatItWas) {
  if (ladder::lacks("escaping")) GTEST_SKIP() << "without escapes, not every string makes JSON";
  Generator random(7);
  for (std::size_t size = 0; size <= 400; ++size) {
    for (const auto text : {texts::prose, texts::hostile, texts::controls}) {
      const std::string name = text(size / 3, random), content = text(size, random);
      const Thing things[] = {{name, content}, {content, name}};
      std::string out;
      write(out, things);
      const Tree tree = Tree::parse(out);
      ASSERT_EQ(tree.size(), 2u);
      for (std::size_t i = 0; i < 2; ++i) {
        ASSERT_EQ(tree[i].size(), 2u);
        ASSERT_TRUE(tree[i].at("name") == things[i].name) << size << " bytes";
        ASSERT_TRUE(tree[i].at("content") == things[i].content) << size << " bytes";
      }
    }
  }
}

TEST(ReadBack, EveryCharacterOfUnicode) {
  if (ladder::lacks("escaping")) GTEST_SKIP() << "without escapes, not every string makes JSON";
  std::string all;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    const auto add = [&](char32_t bits) { all += static_cast<char>(bits); };
    const auto follow = [&](unsigned shift) { add(0x80 | (code >> shift & 0x3F)); };
    if (code >= 0xD800 && code <= 0xDFFF) continue;  // halves of pairs are no characters
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xC0 | code >> 6), follow(0);
    } else if (code < 0x10000) {
      add(0xE0 | code >> 12), follow(6), follow(0);
    } else {
      add(0xF0 | code >> 18), follow(12), follow(6), follow(0);
    }
  }
  const Thing thing{"n", all};
  std::string out;
  write(out, {&thing, 1});
  EXPECT_TRUE(content_of(Tree::parse(out)) == all);
}

// What the document's own code writes, which escapes nothing (see the table in the notes of the stage `unescaped`).
std::string as_the_document(const std::string& name, const std::string& content) {
  return "[{\"name\":\"" + name + "\",\"content\":\"" + content + "\"}]";
}

bool is_json(const std::string& text) { return Tree::accept(text); }

// A stage without escapes writes what the document writes. What the others write is read back as it was.
void expect_written(const std::string& content) {
  const Thing thing{"n", content};
  std::string out;
  write(out, {&thing, 1});
  if (ladder::lacks("escaping")) {
    EXPECT_EQ(out, as_the_document("n", content));
  } else {
    ASSERT_TRUE(is_json(out)) << content;
    EXPECT_EQ(content_of(Tree::parse(out)), content);
  }
}

TEST(Document, WritesWhatNoParserTakes) {
  for (const std::string content : {"say \"no\"", "C:\\users", "\\", "two\nlines", "\t", "\"", "\x1B[0m"}) {
    EXPECT_FALSE(is_json(as_the_document("n", content))) << content;
    expect_written(content);
  }
}

TEST(Document, WritesWhatIsReadAsSomethingElse) {
  const std::string path = "C:\\temp", attack = "x\",\"name\":\"admin";
  EXPECT_EQ(content_of(Tree::parse(as_the_document("n", path))), "C:\temp");
  const Tree taken_over = Tree::parse(as_the_document("n", attack));
  EXPECT_EQ(taken_over.at(0).at("name"), "admin");
  EXPECT_EQ(content_of(taken_over), "x");
  expect_written(path);
  expect_written(attack);
}

TEST(Document, DoesNoHarmToWhatNeedsNoEscape) {
  for (const std::string content : {"", "plain", "a/b", "\x7F", "\xC3\xA4", "\xF0\x9F\x99\x82"}) {
    EXPECT_EQ(content_of(Tree::parse(as_the_document("n", content))), content);
    expect_written(content);
  }
}

}  // namespace
}  // namespace json
