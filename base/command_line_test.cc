// SPDX-License-Identifier: Apache-2.0
#include "base/command_line.h"

#include "gtest/gtest.h"

namespace millrace {
namespace {

struct Values {
  std::string name = "before";
  std::optional<int64_t> count;
  bool loud = false;
};

CommandLine Declare(Values* values) {
  CommandLine line("program [options]");
  line.AddString("out-name", "NAME", "a name", &values->name);
  line.AddInteger("count", "N", "a number", &values->count);
  line.AddSwitch("loud", "a switch", &values->loud);
  return line;
}

std::string ErrorOf(std::vector<const char*> arguments) {
  Values values;
  return std::string(Declare(&values).Parse(arguments).message());
}

TEST(CommandLine, ReadsBothSpellings) {
  Values values;
  CommandLine line = Declare(&values);
  ASSERT_TRUE(line.Parse({"--out-name=a=b", "--count", "-3", "--loud"}).ok());
  EXPECT_EQ(values.name, "a=b");
  EXPECT_EQ(values.count, -3);
  EXPECT_TRUE(values.loud);
}

TEST(CommandLine, KeepsWhatIsNotGiven) {
  Values values;
  ASSERT_TRUE(Declare(&values).Parse({}).ok());
  EXPECT_EQ(values.name, "before");
  EXPECT_FALSE(values.count.has_value());
}

TEST(CommandLine, CollectsPositionalArguments) {
  Values values;
  std::vector<std::string> rest;
  CommandLine line = Declare(&values);
  ASSERT_TRUE(line.Parse({"a", "--loud", "--", "--b"}, &rest).ok());
  EXPECT_EQ(rest, (std::vector<std::string>{"a", "--b"}));
}

TEST(CommandLine, SaysWhatIsWrong) {
  EXPECT_EQ(ErrorOf({"--nope"}), "no option --nope; see --help");
  EXPECT_EQ(ErrorOf({"--count=ten"}),
            "--count: wanted a whole number, found 'ten'");
  EXPECT_EQ(ErrorOf({"--count=99999999999999999999"}),
            "--count: wanted a whole number, found '99999999999999999999'");
  EXPECT_EQ(ErrorOf({"--out-name"}),
            "--out-name: wanted a value (NAME), found the end of the command "
            "line");
  EXPECT_EQ(ErrorOf({"--loud=1"}), "--loud takes no value");
  EXPECT_EQ(ErrorOf({"stray"}), "unexpected argument 'stray'");
  EXPECT_EQ(ErrorOf({"-x"}), "unexpected argument '-x'");
}

TEST(CommandLine, HelpNamesEveryOption) {
  Values values;
  CommandLine line = Declare(&values);
  ASSERT_TRUE(line.Parse({"-h", "--nope"}).ok());
  EXPECT_TRUE(line.help_wanted());
  EXPECT_EQ(line.Help(),
            "usage: program [options]\n\noptions:\n"
            "  --out-name=NAME  a name\n"
            "  --count=N        a number\n"
            "  --loud           a switch\n");
}

TEST(CommandLineTest, LettersAndRepeatedOptions) {
  std::string file;
  std::vector<std::string> stops;
  CommandLine line("program");
  line.AddString("file", "FILE", "A file.", &file);
  line.AddLetter('f', "file");
  line.AddStrings("stop", "TEXT", "Ends.", &stops);
  std::vector<std::string> positional;
  const char* good[] = {"-f", "a.txt", "--stop", "x", "out", "--stop=y"};
  ASSERT_TRUE(line.Parse(good, &positional).ok());
  EXPECT_EQ(file, "a.txt");
  EXPECT_EQ(stops, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(positional, std::vector<std::string>{"out"});
  EXPECT_NE(line.Help().find("-f, --file=FILE"), std::string::npos);
  const char* cut[] = {"-f"};
  EXPECT_EQ(line.Parse(cut).message(),
            "--file: wanted a value (FILE), found the end of the command line");
  const char* unknown[] = {"-x"};
  EXPECT_EQ(line.Parse(unknown).message(), "unexpected argument '-x'");
}

}  // namespace
}  // namespace millrace
