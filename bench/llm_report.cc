// SPDX-License-Identifier: Apache-2.0
#include "bench/llm_report.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "bench/pattern_weights.h"
#include "runtime/plan/container.h"
#include "runtime/plan/text.h"
#include "runtime/weights/provider.h"
#include "runtime/weights/weights_file.h"

namespace millrace::bench {
namespace {

using plan::Text;

// The form of `decode` that runs; a language model has one.
const plan::schema::Form& DecodeForm(const BenchModel& model) {
  const session::LoadedModel& loaded = *model.session->model();
  const auto& entries = *loaded.plan().entry_points();
  uint32_t entry = 0;
  while (entry + 1 < entries.size() &&
         Text(entries.Get(entry)->name()) != "decode") {
    ++entry;
  }
  return loaded.form(entry);
}

int64_t DispatchesPerToken(const BenchModel& model) {
  return DecodeForm(model).dispatches()->size();
}

// What the decode steps of the measurement read on average.
double ReadBytesPerToken(const BenchModel& model, const LlmFigures& figures) {
  return DecodeReadBytes(**model.plan, DecodeForm(model),
                         figures.prefill + figures.decode / 2);
}

// Part of the device's read bandwidth that decoding reaches, all overheads
// included.
double BandwidthShare(const BenchModel& model, const LlmReport& report) {
  return ReadBytesPerToken(model, report.figures) *
         report.figures.decode_tokens_per_s.mean * 1e-9 /
         report.peak->read_gb_per_s;
}

double BuildSeconds(const BenchModel& model, const LlmReport& report) {
  return model.session->stats().build_s + report.figures.first_use_s;
}

std::string Megabytes(int64_t bytes) {
  return absl::StrFormat("%.1f MB", static_cast<double>(bytes) * 1e-6);
}

std::string Seconds(double seconds) {
  return absl::StrFormat("%.3f s", seconds);
}

std::string Rate(const Summary& rate) {
  return WithDeviation(rate.mean, rate.deviation);
}

void AddIdentity(const BenchModel& model, Record& record) {
  const plan::schema::Plan& plan = **model.plan;
  const hal::DeviceInfo& info = model.device->info();
  record.push_back({"model", std::string(Text(plan.model()->name()))});
  record.push_back(
      {"quant", std::string(Text(plan.provenance()->quantization()))});
  record.push_back({"backend", info.backend});
  record.push_back({"platform", info.platform});
  record.push_back({"device", info.device});
  record.push_back({"driver", info.driver});
  record.push_back(
      {"profile", std::string(Text(plan.provenance()->profile()))});
}

void AddRates(const LlmFigures& figures, Record& record) {
  record.push_back({"n_prefill", int64_t{figures.prefill}});
  record.push_back({"n_decode", int64_t{figures.decode}});
  record.push_back({"reps", int64_t{figures.repetitions}});
  const auto add = [&](const char* name, const Summary& summary) {
    record.push_back({name, summary.mean});
    record.push_back({absl::StrCat(name, "_stddev"), summary.deviation});
  };
  add("prefill_tokens_per_s", figures.prefill_tokens_per_s);
  add("decode_tokens_per_s", figures.decode_tokens_per_s);
  add("ttft_s", figures.ttft_s);
  record.push_back({"cold_ttft_s", figures.cold_ttft_s});
}

void AddCosts(const BenchModel& model, const LlmReport& report,
              Record& record) {
  const plan::schema::Plan& plan = **model.plan;
  if (report.compile_s.has_value()) {
    record.push_back({"compile_s", *report.compile_s});
  }
  if (report.pack_s.has_value()) {
    record.push_back({"pack_s", *report.pack_s});
  }
  record.push_back({"build_s", BuildSeconds(model, report)});
  record.push_back({"load_s", model.session->stats().load_s});
  record.push_back({"dispatches_per_token", DispatchesPerToken(model)});
  record.push_back({"kernels", static_cast<int64_t>(plan.kernels()->size())});
  record.push_back({"peak_device_bytes", report.peak_device_bytes});
  record.push_back({"weight_bytes", plan.weight_file_bytes()});
  record.push_back(
      {"read_bytes_per_token", ReadBytesPerToken(model, report.figures)});
}

void AddShares(const BenchModel& model, const LlmReport& report,
               Record& record) {
  if (report.profile.has_value()) {
    record.push_back({"profiled_step_s", report.profile->step_s});
    record.push_back({"profiled_kernels_s", report.profile->kernels_s});
  }
  if (report.peak.has_value()) {
    record.push_back({"device_read_gb_per_s", report.peak->read_gb_per_s});
    record.push_back(
        {"decode_share_of_read_bandwidth", BandwidthShare(model, report)});
  }
}

void AddShareLines(const BenchModel& model, const LlmReport& report,
                   Lines& lines) {
  if (report.profile.has_value()) {
    lines.emplace_back("time in kernels of a decode step",
                       absl::StrFormat("%.2f of %.2f ms, while profiling",
                                       report.profile->kernels_s * 1e3,
                                       report.profile->step_s * 1e3));
  }
  if (report.peak.has_value()) {
    lines.emplace_back("read bandwidth reached by decode",
                       absl::StrFormat("%.0f %% of %.1f GB/s",
                                       100 * BandwidthShare(model, report),
                                       report.peak->read_gb_per_s));
  }
}

}  // namespace

absl::StatusOr<BenchModel> OpenBenchModel(const std::string& directory,
                                          const std::string& weights,
                                          std::unique_ptr<hal::Device> device) {
  BenchModel opened;
  opened.device = std::move(device);
  MR_ASSIGN_OR_RETURN(
      plan::Plan plan,
      plan::Plan::Load(absl::StrCat(directory, "/", plan::kPlanFileName)));
  opened.plan = std::make_unique<plan::Plan>(std::move(plan));
  const std::string specification =
      weights.empty() ? absl::StrCat(directory, "/", weights::kWeightsFileName)
                      : weights;
  MR_ASSIGN_OR_RETURN(const auto provider,
                      OpenBenchWeights(**opened.plan, specification));
  MR_ASSIGN_OR_RETURN(
      opened.session,
      session::Session::Open(*opened.device, **opened.plan, *provider));
  MR_ASSIGN_OR_RETURN(opened.model,
                      session::LanguageSession::Create(*opened.session));
  return opened;
}

absl::StatusOr<LlmReport> MeasureReport(BenchModel& model,
                                        const LlmBenchOptions& options,
                                        bool measure_peak) {
  LlmReport report;
  MR_ASSIGN_OR_RETURN(
      const LlmBenchOptions sizes,
      ChooseSizes(options, model.model->context(), model.model->chunk()));
  MR_ASSIGN_OR_RETURN(report.figures, MeasureLlm(*model.model, sizes));
  // Before others take memory of the device.
  report.peak_device_bytes = model.device->peak_bytes();
  MR_ASSIGN_OR_RETURN(report.profile,
                      ProfileDecode(*model.session, *model.model, sizes));
  if (measure_peak) {
    MR_ASSIGN_OR_RETURN(report.peak, MeasureDevicePeak(*model.device));
  }
  return report;
}

Record RecordOf(const BenchModel& model, const LlmReport& report) {
  Record record;
  AddIdentity(model, record);
  AddRates(report.figures, record);
  AddCosts(model, report, record);
  AddShares(model, report, record);
  if (report.text.has_value()) {
    record.push_back({"text", *report.text});
  }
  return record;
}

Lines SummaryLines(const BenchModel& model, const LlmReport& report) {
  const plan::schema::Plan& plan = **model.plan;
  const LlmFigures& figures = report.figures;
  const session::SessionStats& stats = model.session->stats();
  Lines lines = {
      {"model", absl::StrCat(Text(plan.model()->name()), ", ",
                             plan.model()->parameters(), " parameters, ",
                             Text(plan.provenance()->quantization()))},
      {"device", hal::OneLine(model.device->info())},
      {"profile", std::string(Text(plan.provenance()->profile()))},
      {absl::StrFormat("tokens/s (prefill, %d tokens)", figures.prefill),
       Rate(figures.prefill_tokens_per_s)},
      {absl::StrFormat("tokens/s (decode, %d tokens)", figures.decode),
       Rate(figures.decode_tokens_per_s)},
      {"time to first token",
       absl::StrCat(Seconds(figures.ttft_s.mean), " (cold ",
                    Seconds(figures.cold_ttft_s), ")")}};
  if (report.compile_s.has_value()) {
    lines.emplace_back("compile", Seconds(*report.compile_s));
  }
  if (report.pack_s.has_value()) {
    lines.emplace_back("pack weights", Seconds(*report.pack_s));
  }
  lines.emplace_back(
      "build", absl::StrFormat("%s (%d of %d programs from the cache)",
                               Seconds(BuildSeconds(model, report)),
                               stats.programs_from_cache, stats.programs));
  lines.emplace_back("load", Seconds(stats.load_s));
  lines.emplace_back("dispatches per token",
                     absl::StrCat(DispatchesPerToken(model)));
  lines.emplace_back("kernels", absl::StrCat(plan.kernels()->size()));
  lines.emplace_back("weights", Megabytes(plan.weight_file_bytes()));
  lines.emplace_back("peak device memory", Megabytes(report.peak_device_bytes));
  lines.emplace_back(
      "read per token",
      absl::StrFormat("%.1f MB", ReadBytesPerToken(model, figures) * 1e-6));
  AddShareLines(model, report, lines);
  return lines;
}

std::string Format(const BenchModel& model, const LlmReport& report,
                   OutputForm form) {
  const Record record = RecordOf(model, report);
  switch (form) {
    case OutputForm::kText:
      return TextLines(SummaryLines(model, report));
    case OutputForm::kMarkdown:
      return MarkdownLines(SummaryLines(model, report));
    case OutputForm::kCsv:
      return Csv({record});
    case OutputForm::kJson:
      return JsonLine(record);
  }
  return "";
}

}  // namespace millrace::bench
