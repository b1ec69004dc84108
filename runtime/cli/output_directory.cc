// SPDX-License-Identifier: Apache-2.0
#include "runtime/cli/output_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "models/text/tokenizer_config.h"
#include "runtime/hal/driver.h"
#include "runtime/plan/container.h"
#include "runtime/weights/provider.h"
#include "runtime/weights/weights_file.h"

namespace millrace::cli {
namespace {

// A line on a terminal while something takes long; gone at the end.
class StatusLine {
 public:
  explicit StatusLine(const char* text) : shown_(isatty(STDERR_FILENO) == 1) {
    if (shown_) {
      std::fprintf(stderr, "\r%s\x1b[K", text);
    }
  }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() {
    if (shown_) {
      std::fprintf(stderr, "\r\x1b[K");
    }
  }

 private:
  bool shown_;
};

bool Exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

absl::StatusOr<std::unique_ptr<weights::WeightProvider>> OpenWeightsOf(
    const std::string& directory, const plan::schema::Plan& plan,
    const std::string& specification) {
  if (!specification.empty()) {
    return weights::OpenWeights(plan, specification);
  }
  const std::string path =
      absl::StrCat(directory, "/", weights::kWeightsFileName);
  if (!Exists(path)) {
    return absl::NotFoundError(absl::StrCat(
        path,
        ": no such file; pack weights with `millrace pack`, or give "
        "--weights=random:SEED"));
  }
  return weights::OpenWeightsFile(plan, path);
}

}  // namespace

absl::StatusOr<plan::Plan> LoadPlan(const std::string& directory) {
  const std::string path = absl::StrCat(directory, "/", plan::kPlanFileName);
  if (!Exists(path) && Exists(absl::StrCat(directory, "/config.json"))) {
    return absl::FailedPreconditionError(
        absl::StrCat(directory,
                     ": a checkpoint, not a compiled model; compile it first: "
                     "millrace-compile --model ",
                     directory, " --out OUT"));
  }
  return plan::Plan::Load(path);
}

absl::StatusOr<std::unique_ptr<text::BpeTokenizer>> LoadTokenizer(
    const std::string& directory) {
  const std::string path = absl::StrCat(directory, "/tokenizer.json");
  if (!Exists(path)) {
    return nullptr;
  }
  return text::LoadTokenizer(directory);
}

absl::StatusOr<text::GenerationConfig> LoadGeneration(
    const std::string& directory, const plan::schema::Plan& plan) {
  text::GenerationConfig config;
  const std::string path = absl::StrCat(directory, "/generation_config.json");
  if (Exists(path)) {
    MR_ASSIGN_OR_RETURN(config, text::LoadGenerationConfig(path));
  }
  for (int32_t token : *plan.model()->eos()) {
    if (std::count(config.eos.begin(), config.eos.end(), token) == 0) {
      config.eos.push_back(token);
    }
  }
  return config;
}

absl::StatusOr<RunningModel> StartModel(const std::string& directory,
                                        plan::Plan plan,
                                        const std::string& weights,
                                        absl::Span<const int32_t> tokens,
                                        const hal::DeviceSelector& selector,
                                        const hal::DeviceOptions& options) {
  RunningModel running;
  running.plan = std::make_unique<plan::Plan>(std::move(plan));
  MR_ASSIGN_OR_RETURN(running.device, hal::OpenDevice(selector, options));
  std::fprintf(stderr, "%s\n", hal::OneLine(running.device->info()).c_str());
  MR_ASSIGN_OR_RETURN(auto provider,
                      OpenWeightsOf(directory, **running.plan, weights));
  std::optional<StatusLine> line("building kernels");
  MR_ASSIGN_OR_RETURN(
      running.session,
      session::Session::Open(*running.device, **running.plan, *provider));
  std::fputs(session::DescribeForms(**running.plan,
                                    running.session->model()->forms())
                 .c_str(),
             stderr);
  MR_ASSIGN_OR_RETURN(running.model,
                      session::LanguageSession::Create(*running.session));
  if (!tokens.empty()) {
    line.emplace("warming up");
    const absl::Time start = absl::Now();
    MR_RETURN_IF_ERROR(running.model->WarmUp(tokens[0]));
    running.warm_up_s = absl::ToDoubleSeconds(absl::Now() - start);
  }
  return running;
}

}  // namespace millrace::cli
