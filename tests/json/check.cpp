// Is a stage right? Known answers, comparison with the oracle where a vector, a buffer or a table may go wrong, and the
// contract's promises.
#include <gtest/gtest.h>

#include "common/guarded.hpp"
#include "common/lacks.hpp"
#include "oracle.hpp"
#include "tests/threads.hpp"
#include "texts.hpp"

namespace json {
namespace {

using ladder::Generator;
using ladder::GuardedBuffer;

std::string written(std::span<const Thing> things) {
  std::string out;
  write(out, things);
  return out;
}

std::string written(std::string_view name, std::string_view content) {
  const Thing thing{name, content};
  return written({&thing, 1});
}

// Names the first byte that differs, and what stands there; the whole of both would fill the screen.
testing::AssertionResult same(std::string_view actual, std::string_view expected) {
  const auto [a, b] = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
  if (a == actual.end() && b == expected.end()) return testing::AssertionSuccess();
  const auto place = static_cast<std::size_t>(b - expected.begin());
  const auto around = [&](std::string_view text) {
    return testing::PrintToString(std::string(text.substr(place, 12)));
  };
  return testing::AssertionFailure() << "at byte " << place << " of " << expected.size() << " stands " << around(actual)
                                     << ", but should stand " << around(expected);
}

testing::AssertionResult like_oracle(std::string_view name, std::string_view content) {
  const Thing thing{name, content};
  return same(written({&thing, 1}), oracle::written({&thing, 1}));
}

// The first test: a stage that goes outside its strings must fail before it corrupts the heap.
TEST(Bounds, NothingOutsideIsRead) {
  for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
    for (std::size_t size = 0; size <= 200; ++size) {
      Generator random(size);
      GuardedBuffer name_buffer(size / 2, side), content_buffer(size, side), list(sizeof(Thing), side);
      const auto name = name_buffer.as<char>(), content = content_buffer.as<char>();
      for (const bool plain : {true, false}) {
        const std::string first = plain ? std::string(size / 2, 'n') : texts::hostile(size / 2, random);
        const std::string second = plain ? std::string(size, 'c') : texts::hostile(size, random);
        std::copy(first.begin(), first.end(), name.begin());
        std::copy(second.begin(), second.end(), content.begin());
        const auto things = list.as<Thing>();
        things[0] = {{name.data(), name.size()}, {content.data(), content.size()}};
        ASSERT_TRUE(same(written(things), oracle::written(things))) << size << " bytes";
      }
    }
  }
}

// One character U+FFFD may stand for one or for several of the bytes.
bool is_copied_or_replaced(std::string_view actual, std::string_view wrong) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  if (actual == wrong) return true;
  std::size_t count = 0;
  for (; actual.starts_with(replacement); ++count) actual.remove_prefix(replacement.size());
  return actual.empty() && count >= 1 && count <= wrong.size();
}

// What is written of the thing begins and ends so, with the wrong bytes or what replaces them between.
void expect_copied_or_replaced(const Thing& thing, const std::string& begin, std::string_view wrong,
                               const std::string& close) {
  std::string out;
  ASSERT_NO_THROW(write(out, {&thing, 1}));
  ASSERT_TRUE(out.starts_with(begin) && out.ends_with(close) && out.size() >= begin.size() + close.size()) << out;
  EXPECT_TRUE(is_copied_or_replaced(out.substr(begin.size(), out.size() - begin.size() - close.size()), wrong));
}

// What is no UTF-8 makes no JSON, but it makes nothing worse either: not even where the bytes end within a character.
TEST(Bounds, NothingOutsideIsReadOfWhatIsNoUtf8) {
  const std::string bytes[] = {"\xF0", "\xF0\x9F", "\xF0\x9F\x92", "\xE2\x82", "\xC3", "\x80", "\xFF\xFE", "\xC0\xAF"};
  for (const std::string& wrong : bytes) {
    for (std::size_t size = 0; size <= 70; ++size) {
      for (const std::string behind : {"", "bcd"}) {
        const std::string before(size, 'a'), text = before + wrong + behind;
        GuardedBuffer buffer(text.size(), GuardedBuffer::Against::back);
        std::ranges::copy(text, buffer.as<char>().begin());
        const std::string_view view(buffer.as<char>().data(), text.size());
        expect_copied_or_replaced({"n", view}, "[{\"name\":\"n\",\"content\":\"" + before, wrong, behind + "\"}]");
        expect_copied_or_replaced({view, "c"}, "[{\"name\":\"" + before, wrong, behind + "\",\"content\":\"c\"}]");
      }
    }
  }
}

TEST(KnownAnswers, OfLists) {
  EXPECT_EQ(written({}), "[]");
  EXPECT_EQ(written({}, {}), R"([{"name":"","content":""}])");
  EXPECT_EQ(written("", ""), R"([{"name":"","content":""}])");
  EXPECT_EQ(written("Tim", "hello"), R"([{"name":"Tim","content":"hello"}])");
  const Thing three[] = {{"a", "1"}, {"", ""}, {"b", ""}};
  EXPECT_EQ(written(three), R"([{"name":"a","content":"1"},{"name":"","content":""},{"name":"b","content":""}])");
}

TEST(KnownAnswers, OfWhatIsEscaped) {
  if (ladder::lacks("escaping")) GTEST_SKIP() << "strings are written without escapes";
  EXPECT_EQ(written("\"", "\\"), R"([{"name":"\"","content":"\\"}])");
  EXPECT_EQ(written("say \"no\"", "C:\\temp\\"), R"([{"name":"say \"no\"","content":"C:\\temp\\"}])");
  EXPECT_EQ(written("\b\t\n\f\r", "x\",\"name\":\"admin"),
            R"([{"name":"\b\t\n\f\r","content":"x\",\"name\":\"admin"}])");
  std::string all;
  for (char c = 0; c < 0x20; ++c) all += c;
  EXPECT_EQ(written("", all), R"([{"name":"","content":"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007)"
                              R"(\b\t\n\u000B\f\r\u000E\u000F)"
                              R"(\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017)"
                              R"(\u0018\u0019\u001A\u001B\u001C\u001D\u001E\u001F"}])");
  EXPECT_EQ(written("\\u0041", "\\n"), R"([{"name":"\\u0041","content":"\\n"}])");  // text that looks like escapes
}

TEST(KnownAnswers, WithoutEscaping) {
  if (!ladder::lacks("escaping")) GTEST_SKIP() << "strings are escaped";
  EXPECT_EQ(written("say \"no\"", "C:\\temp"), "[{\"name\":\"say \"no\"\",\"content\":\"C:\\temp\"}]");
  EXPECT_EQ(written("\n", "\t"), "[{\"name\":\"\n\",\"content\":\"\t\"}]");
}

TEST(KnownAnswers, OfWhatIsNot) {
  const std::string ascii =
      " !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
  EXPECT_EQ(written(ascii, "\x7F"), "[{\"name\":\"" + ascii + "\",\"content\":\"\x7F\"}]");
  // Two, three and four bytes: the first and last of each, separators of lines, an emoji of several characters.
  for (const std::string text : {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
                                 "\xF4\x8F\xBF\xBF", "\xE2\x80\xA8\xE2\x80\xA9", "\xC3\xA4\xC3\xB6\xC3\xBC",
                                 "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(written(text, text), "[{\"name\":\"" + text + "\",\"content\":\"" + text + "\"}]");
  }
}

// Every length around every vector, with one character of each kind at every place of it. Without their high bit, the
// bytes of U+0722 are a backslash and a quote.
TEST(Places, EveryOneInEveryLength) {
  const std::string kinds[] = {"\"",   "\\",   "\n",       std::string(1, '\0'), "\x1F",
                               "\x20", "\x7F", "\xDC\xA2", "\xF0\x9F\x99\x82"};
  for (std::size_t size = 1; size <= 100; ++size) {
    for (const std::string& kind : kinds) {
      for (std::size_t place = 0; place + kind.size() <= size; ++place) {
        std::string text(size, 'a');
        text.replace(place, kind.size(), kind);
        ASSERT_TRUE(like_oracle("n", text))
            << size << " bytes, with " << testing::PrintToString(kind) << " at " << place;
        if (size > 70) continue;
        ASSERT_TRUE(like_oracle(text, "c")) << "a name of " << size << " bytes";
      }
    }
  }
}

TEST(Places, TwoEscapesAnywhere) {
  for (std::size_t first = 0; first < 80; ++first) {
    for (std::size_t second = first + 1; second < 80; ++second) {
      std::string text(80, 'a');
      text[first] = '\\';
      text[second] = '"';
      ASSERT_TRUE(like_oracle("n", text)) << "at " << first << " and " << second;
    }
  }
}

TEST(Places, EveryByteInEveryLane) {
  for (std::size_t place = 0; place < 128; ++place) {
    for (int c = 0; c < 0x80; ++c) {
      std::string text(128, 'a');
      text[place] = static_cast<char>(c);
      ASSERT_TRUE(like_oracle("n", text)) << "byte " << c << " at " << place;
    }
  }
}

// Bytes of longer characters: without their high bit, some are a quote, a backslash or a control character.
TEST(Places, EveryCharacterOfTwoBytesInEveryLane) {
  for (std::size_t place = 0; place < 64; ++place) {
    for (unsigned code = 0x80; code < 0x800; ++code) {
      std::string text(66, 'a');
      text[place] = static_cast<char>(0xC0 | code >> 6);
      text[place + 1] = static_cast<char>(0x80 | (code & 0x3F));
      ASSERT_TRUE(like_oracle("n", text)) << "character " << code << " at " << place;
    }
  }
}

TEST(Places, EveryFirstByteOfLongerCharactersInEveryLane) {
  for (std::size_t place = 0; place < 64; ++place) {
    for (unsigned first = 0xE0; first <= 0xF4; ++first) {
      const bool three = first < 0xF0;
      std::string character{static_cast<char>(first), '\x80', '\x80'};
      if (first == 0xE0) character[1] = '\xA0';  // fewer would be no UTF-8
      if (first == 0xF0) character[1] = '\x90';
      if (!three) character += '\x80';
      std::string text(68, 'a');
      text.replace(place, character.size(), character);
      ASSERT_TRUE(like_oracle("n", text)) << "first byte " << first << " at " << place;
    }
  }
}

// Whatever is gathered in a buffer has to leave it in time, escapes of two and of six bytes as well.
TEST(Sizes, AroundThoseOfBuffers) {
  for (const std::size_t power : {256, 1'024, 4'096, 8'192}) {
    for (std::size_t size = power - 90; size <= power + 10; ++size) {
      Generator random(size);
      const std::string plain(size, 'a');
      ASSERT_TRUE(like_oracle("n", plain)) << size << " bytes";
      ASSERT_TRUE(like_oracle("n", plain + '"')) << size << " bytes and a quote";
      ASSERT_TRUE(like_oracle(plain + '"', "c")) << "a name of " << size << " bytes and a quote";
      ASSERT_TRUE(like_oracle("n", plain + '\x01')) << size << " bytes and a control character";
      if (size % 4 != 0) continue;
      ASSERT_TRUE(like_oracle("n", texts::hostile(size, random))) << size << " hostile bytes";
    }
  }
}

TEST(Sizes, OfLists) {
  for (const std::size_t count : {1, 2, 3, 31, 250, 5'000}) {
    std::vector<std::string> strings;
    Generator random(count);
    for (std::size_t i = 0; i < count; ++i) {
      strings.push_back(texts::hostile(random.between(0, 40), random));
      strings.push_back(texts::prose(random.between(0, 90), random));
    }
    std::vector<Thing> things;
    for (std::size_t i = 0; i < count; ++i) things.push_back({strings[2 * i], strings[2 * i + 1]});
    EXPECT_TRUE(same(written(things), oracle::written(things))) << count << " things";
  }
}

// All strings but the last two are empty, so nearly all of the output is what is written around strings.
TEST(Sizes, MoreThingsThan16BitsCount) {
  std::vector<Thing> things(65'536 + 5);
  things.back() = {"a", "b"};
  EXPECT_TRUE(same(written(things), oracle::written(things)));
}

TEST(Sizes, FarBeyondThoseOfBuffers) {
  Generator random(1);
  for (const auto text : {texts::prose, texts::hostile, texts::controls}) {
    const std::string name = text(1'000, random), content = text(200'000, random);
    EXPECT_TRUE(like_oracle(name, content));
    EXPECT_TRUE(like_oracle(content, name));
  }
}

TEST(Out, IsReplacedWhateverItHeld) {
  const Thing thing{"name", "content"};
  const std::string expected = oracle::written({&thing, 1});
  for (std::string out : {std::string(), std::string("["), std::string(10'000, 'x'), expected}) {
    write(out, {&thing, 1});
    EXPECT_TRUE(same(out, expected));
    write(out, {});
    EXPECT_EQ(out, "[]");
    write(out, {&thing, 1});
    EXPECT_TRUE(same(out, expected));
  }
}

TEST(Calls, KeepNothingFromOneToTheNext) {
  std::string content(300, 'a'), out;
  const Thing thing{"n", content};
  // The same strings at the same place, but not as they were.
  for (std::size_t place = 0; place < content.size(); ++place) {
    content[place] = place % 2 ? '"' : 'b';
    write(out, {&thing, 1});
    ASSERT_TRUE(same(out, oracle::written({&thing, 1}))) << "after " << place + 1 << " calls";
  }
}

TEST(Calls, MayBeMadeByThreadsAtOnce) {
  ladder::expect_right_in_threads(3'000, [](std::size_t thread) {
    Generator random(thread);
    const std::string name = texts::hostile(30, random), content = texts::prose(2'000, random);
    const Thing thing{name, content};
    return [=, expected = oracle::written({&thing, 1})] { return same(written(name, content), expected); };
  });
}

}  // namespace
}  // namespace json
