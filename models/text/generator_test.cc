// SPDX-License-Identifier: Apache-2.0
#include "models/text/generator.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/checkpoints/testing.h"

namespace millrace::text {
namespace {

using checkpoints::ExpectOneLineError;

// A model that wants to say `script`, whatever it is asked, and checks that
// nobody leaves its bounds.
class FakeModel : public LanguageModel {
 public:
  FakeModel(std::vector<int32_t> script, int32_t context, int32_t vocabulary)
      : script_(std::move(script)),
        context_(context),
        vocabulary_(vocabulary) {}

  absl::Status Reset() override {
    ++resets;
    sequence.clear();
    said_ = 0;
    return absl::OkStatus();
  }

  absl::StatusOr<Step> Prefill(absl::Span<const int32_t> tokens) override {
    ++prefills;
    return Append(tokens);
  }

  absl::StatusOr<Step> Decode(int32_t token) override {
    return Append({token});
  }

  absl::StatusOr<absl::Span<const float>> Logits() override {
    ++logit_reads;
    logits_.assign(static_cast<size_t>(vocabulary_), 0.0f);
    logits_[static_cast<size_t>(script_[(said_ - 1) % script_.size()])] = 50.0f;
    return absl::Span<const float>(logits_);
  }

  int32_t context() const override { return context_; }
  int32_t vocabulary() const override { return vocabulary_; }

  std::vector<int32_t> sequence;
  int resets = 0;
  int prefills = 0;
  int logit_reads = 0;

 private:
  absl::StatusOr<Step> Append(absl::Span<const int32_t> tokens) {
    sequence.insert(sequence.end(), tokens.begin(), tokens.end());
    if (sequence.size() > static_cast<size_t>(context_)) {
      return absl::OutOfRangeError("fake: past the context");
    }
    return Step{script_[said_++ % script_.size()]};
  }

  std::vector<int32_t> script_;
  size_t said_ = 0;
  int32_t context_;
  int32_t vocabulary_;
  std::vector<float> logits_;
};

class GeneratorTest : public testing::Test {
 protected:
  void SetUp() override {
    auto tokenizer =
        BpeTokenizer::Load("models/text/testdata/llama3_like.json");
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
    tokenizer_ = *std::move(tokenizer);
  }

  // A model that says `text` over and over.
  FakeModel Saying(absl::string_view text, int32_t context = 100) {
    return FakeModel(*tokenizer_->Encode(text, false), context,
                     tokenizer_->vocabulary_size());
  }

  std::unique_ptr<BpeTokenizer> tokenizer_;
};

TEST_F(GeneratorTest, StreamsTextUntilTheEnd) {
  FakeModel model = Saying("caf\u00e9 \U0001F600 Ni\u00f1o<|end|>");
  GenerateOptions options;
  options.eos = {1};
  std::string streamed;
  std::vector<int32_t> tokens;
  auto result = Generator(&model, tokenizer_.get())
                    .Generate("Say it", options, [&](const Piece& piece) {
                      absl::StrAppend(&streamed, piece.text);
                      tokens.push_back(piece.token);
                      return true;
                    });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->text, "caf\u00e9 \U0001F600 Ni\u00f1o");
  EXPECT_EQ(streamed, result->text);
  EXPECT_EQ(tokens, result->tokens);
  EXPECT_EQ(result->finish, FinishReason::kEos);
  const std::vector<int32_t> prompt = *tokenizer_->Encode("Say it", true);
  EXPECT_EQ(result->prompt_tokens, static_cast<int32_t>(prompt.size()));
  EXPECT_EQ(result->decode_steps, static_cast<int32_t>(tokens.size()));
  EXPECT_EQ(model.sequence.size(), prompt.size() + tokens.size());
  EXPECT_EQ(model.resets, 1);
  EXPECT_EQ(model.logit_reads, 0);  // Greedy needs none.
  EXPECT_GE(result->ttft_s, result->prefill_s);
}

TEST_F(GeneratorTest, ASecondQueryStartsAnew) {
  FakeModel model = Saying("yes<|end|>");
  GenerateOptions options;
  options.eos = {1};
  Generator generator(&model, tokenizer_.get());
  auto first = generator.Generate("One?", options);
  auto second = generator.Generate("One?", options);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->tokens, second->tokens);
  EXPECT_EQ(model.resets, 2);
}

TEST_F(GeneratorTest, StopsAtALengthOrAtTheContext) {
  FakeModel model = Saying("on and on ", 8);
  GenerateOptions options;
  options.max_new_tokens = 3;
  Generator generator(&model, tokenizer_.get());
  auto result = generator.GenerateTokens({5, 6}, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->tokens.size(), 3u);
  EXPECT_EQ(result->finish, FinishReason::kLength);
  EXPECT_EQ(result->decode_steps, 2);
  // 8 positions: 2 of the prompt, 6 of new tokens; one more needs no position.
  options.max_new_tokens = 100;
  result = generator.GenerateTokens({5, 6}, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->tokens.size(), 7u);
  EXPECT_EQ(result->finish, FinishReason::kContext);
  EXPECT_EQ(model.sequence.size(), 8u);
}

TEST_F(GeneratorTest, StopStringsAreNotShown) {
  FakeModel model = Saying("The answer. User: next");
  GenerateOptions options;
  options.stop = {"User:"};
  std::string streamed;
  auto result = Generator(&model, tokenizer_.get())
                    .Generate("Q", options, [&](const Piece& piece) {
                      absl::StrAppend(&streamed, piece.text);
                      return true;
                    });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(streamed, "The answer. ");
  EXPECT_EQ(result->text, streamed);
  EXPECT_EQ(result->finish, FinishReason::kStop);
}

TEST_F(GeneratorTest, HalfACharacterAtTheEndIsReplaced) {
  const std::vector<int32_t> ids = *tokenizer_->Encode("a\U0001F600", false);
  FakeModel model = Saying("a\U0001F600");
  GenerateOptions options;
  options.max_new_tokens = static_cast<int32_t>(ids.size()) - 1;
  ASSERT_GE(options.max_new_tokens, 1);
  std::vector<std::string> pieces;
  auto result = Generator(&model, tokenizer_.get())
                    .Generate("Q", options, [&](const Piece& piece) {
                      pieces.emplace_back(piece.text);
                      return true;
                    });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->text, "a\ufffd");
  EXPECT_EQ(pieces.back(), "\ufffd");
}

TEST_F(GeneratorTest, TheCallbackMayCancel) {
  FakeModel model = Saying("on and on ");
  int calls = 0;
  auto result =
      Generator(&model, tokenizer_.get()).Generate("Q", {}, [&](const Piece&) {
        return ++calls < 2;
      });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(result->tokens.size(), 2u);
  EXPECT_EQ(result->finish, FinishReason::kCancelled);
}

TEST_F(GeneratorTest, SamplesFromTheLogits) {
  FakeModel model = Saying("sampled<|end|>");
  GenerateOptions options;
  options.eos = {1};
  options.sampling.temperature = 0.5;
  options.sampling.seed = 9;
  auto result = Generator(&model, tokenizer_.get()).Generate("Q", options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->text, "sampled");
  EXPECT_EQ(model.logit_reads, static_cast<int>(result->tokens.size()) + 1);
}

TEST_F(GeneratorTest, RunsOnTokensWithoutATokenizer) {
  FakeModel model({7, 8, 9}, 16, 10);
  GenerateOptions options;
  options.eos = {9};
  Generator generator(&model, nullptr);
  auto result = generator.GenerateTokens({1, 2, 3}, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->tokens, (std::vector<int32_t>{7, 8}));
  EXPECT_EQ(result->text, "");
  ExpectOneLineError(generator.Generate("x", options).status(),
                     "wanted a tokenizer, found none");
}

TEST_F(GeneratorTest, RefusesAPromptBeforeAnyWork) {
  FakeModel model({7}, 4, 10);
  Generator generator(&model, tokenizer_.get());
  GenerateOptions options;
  ExpectOneLineError(
      generator.GenerateTokens({1, 2, 3, 4, 5}, options).status(),
      "prompt: wanted at most 4 tokens, the model's context, found 5");
  ExpectOneLineError(generator.GenerateTokens({}, options).status(),
                     "wanted at least one token");
  ExpectOneLineError(generator.GenerateTokens({1, 10}, options).status(),
                     "prompt: token 1: wanted an id in [0, 10), found 10");
  ExpectOneLineError(generator.GenerateTokens({-1}, options).status(),
                     "found -1");
  ExpectOneLineError(generator.Generate("\xff", options).status(),
                     "invalid sequence at byte 0");
  options.max_new_tokens = 0;
  ExpectOneLineError(generator.GenerateTokens({1}, options).status(),
                     "max_new_tokens: wanted 1 or more, found 0");
  options.max_new_tokens = 1;
  options.sampling.top_p = 7;
  ExpectOneLineError(generator.GenerateTokens({1}, options).status(), "top-p");
  EXPECT_EQ(model.resets + model.prefills, 0);
}

TEST_F(GeneratorTest, AModelOutOfItsVocabularyIsAnError) {
  FakeModel model({12}, 8, 10);
  ExpectOneLineError(
      Generator(&model, nullptr).GenerateTokens({1}, {}).status(),
      "model: wanted a token id in [0, 10), found 12");
}

TEST_F(GeneratorTest, NamesItsReasons) {
  EXPECT_EQ(FinishReasonName(FinishReason::kEos), "eos");
  EXPECT_EQ(FinishReasonName(FinishReason::kContext), "context");
}

}  // namespace
}  // namespace millrace::text
