// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/sample_plan_for_test.h"

#include <array>

namespace millrace::plan {
namespace {

using schema::Axis;
using schema::Digit;
using schema::Memory;
using schema::ObjectKind;
using schema::ScalarType;

enum Parameter { kPosition, kActive, kEnd, kRow };

// Buffers come as a slab and an offset in it.
#define MILLRACE_VIEWS                                                  \
  "#define BUFFER(name) global char *name##_slab, long name##_offset\n" \
  "#define VIEW(type, name) global type *name = "                       \
  "(global type*)(name##_slab + name##_offset)\n"

constexpr char kEmbedSource[] = MILLRACE_VIEWS R"(
kernel void embed(BUFFER(tokens), BUFFER(table), BUFFER(gain), BUFFER(x),
                  BUFFER(params)) {
  VIEW(const int, tokens);
  VIEW(const float4, table);
  VIEW(const float4, gain);
  VIEW(float4, x);
  VIEW(const int, params);
  const int w = get_group_id(0);
  x[w] = table[tokens[w]] * gain[0] * (float)(params[0] + w + 1);
}
)";

constexpr char kRestSource[] = MILLRACE_VIEWS R"(
kernel void accumulate(BUFFER(x), BUFFER(acc), BUFFER(hidden),
                       BUFFER(params)) {
  VIEW(const float4, x);
  VIEW(float4, acc);
  VIEW(float4, hidden);
  VIEW(const int, params);
  float4 sum = acc[0];
  for (int w = 0; w < params[1]; ++w) {
    sum += x[w];
    hidden[w] = sum;
  }
  acc[0] = sum;
}

kernel void pick(BUFFER(hidden), write_only image2d_t row, BUFFER(params)) {
  VIEW(const float4, hidden);
  VIEW(const int, params);
  write_imagef(row, (int2)(0, 0), hidden[params[3]]);
}

constant sampler_t kNearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void head(read_only image2d_t row, read_only image2d_t weight,
                 BUFFER(logits)) {
  VIEW(float, logits);
  const int o = get_global_id(0);
  logits[o] = dot(read_imagef(row, kNearest, (int2)(0, 0)),
                  read_imagef(weight, kNearest, (int2)(o, 0)));
}

kernel void argmax(BUFFER(logits), BUFFER(token)) {
  VIEW(const float, logits);
  VIEW(int, token);
  int best = 0;
  for (int o = 1; o < 8; ++o) {
    if (logits[o] > logits[best]) best = o;
  }
  token[0] = best;
}
)";

struct Objects {
  uint32_t parameters, tokens, one_token, x, acc, hidden, row, logits, token;
  uint32_t embedding, gain, head;
};

struct Kernels {
  uint32_t embed, accumulate, pick, head, argmax;
};

// [V, C] row-major in float4: x = O, lane = I.
schema::LayoutT RowsOfFour(int64_t rows) {
  schema::LayoutT layout;
  layout.form = "rows";
  layout.axes = {Axis::O, Axis::I};
  layout.shape = {rows, kSampleChannels};
  layout.x = {Digit(Axis::O, 1, rows)};
  layout.lane = {Digit(Axis::I, 1, kSampleChannels)};
  return layout;
}

void AddWeights(PlanBuilder& builder, Objects& objects) {
  const uint32_t embedding =
      builder.AddWeight("embedding", ObjectKind::Buffer, ScalarType::F32,
                        RowsOfFour(kSampleVocabulary));
  builder.AddSource(embedding, "embed.weight",
                    {kSampleVocabulary, kSampleChannels});
  const uint32_t head =
      builder.AddWeight("lm_head", ObjectKind::Texture2d, ScalarType::F32,
                        RowsOfFour(kSampleVocabulary));
  builder.AddSource(head, "lm_head.weight",
                    {kSampleVocabulary, kSampleChannels});
  schema::LayoutT line;
  line.axes = {Axis::C};
  line.shape = {kSampleChannels};
  line.lane = {Digit(Axis::C, 1, kSampleChannels)};
  const uint32_t gain =
      builder.AddWeight("gain", ObjectKind::Buffer, ScalarType::F32, line);
  auto& weights = builder.plan().weights;
  weights[gain]->constant = SampleGain();
  objects.embedding = weights[embedding]->objects[0];
  objects.head = weights[head]->objects[0];
  objects.gain = weights[gain]->objects[0];
}

Objects AddObjects(PlanBuilder& builder) {
  Objects o;
  o.parameters =
      builder.AddBuffer("parameters", Memory::Parameters, ScalarType::I32, 4);
  o.tokens =
      builder.AddBuffer("tokens", Memory::Input, ScalarType::I32, kSampleChunk);
  o.one_token =
      builder.AddBuffer("token_in", Memory::Input, ScalarType::I32, 1);
  o.x = builder.AddBuffer("x", Memory::Arena, ScalarType::F32, kSampleChunk, 4,
                          /*offset=*/512);
  o.acc = builder.AddBuffer("acc", Memory::State, ScalarType::F32, 1, 4);
  o.hidden = builder.AddBuffer("hidden", Memory::State, ScalarType::F32,
                               kSampleChunk, 4);
  const uint32_t pool =
      builder.AddPoolTexture(ObjectKind::Texture2d, ScalarType::F32, {1, 1, 1});
  o.row = builder.AddImage("row", Memory::Pool, ObjectKind::Texture2d,
                           ScalarType::F32, {1, 1, 1}, pool);
  o.logits = builder.AddBuffer("logits", Memory::Output, ScalarType::F32,
                               kSampleVocabulary);
  o.token = builder.AddBuffer("token", Memory::Output, ScalarType::I32, 1);
  builder.AddState("acc", {o.acc});
  builder.AddState("hidden", {o.hidden});
  AddWeights(builder, o);
  return o;
}

Kernels AddKernels(PlanBuilder& builder) {
  const uint32_t embed = builder.AddProgram("embed", kEmbedSource);
  const uint32_t rest = builder.AddProgram("rest", kRestSource);
  const ObjectKind buffer = ObjectKind::Buffer;
  const ObjectKind texture = ObjectKind::Texture2d;
  return {
      builder.AddKernel("embed", embed, {1, 1, 1},
                        {buffer, buffer, buffer, buffer, buffer}),
      builder.AddKernel("accumulate", rest, {1, 1, 1},
                        {buffer, buffer, buffer, buffer}),
      builder.AddKernel("pick", rest, {1, 1, 1}, {buffer, texture, buffer}),
      builder.AddKernel("head", rest, {4, 1, 1}, {texture, texture, buffer}),
      builder.AddKernel("argmax", rest, {1, 1, 1}, {buffer, buffer})};
}

void AddHead(PlanBuilder& builder, uint32_t entry, const Objects& o,
             const Kernels& k) {
  const std::array<schema::GridDim, 3> one = {Groups(1), Groups(1), Groups(1)};
  builder.AddDispatch(entry, "select_row", k.pick, one,
                      {o.hidden, o.row, o.parameters});
  builder.AddDispatch(entry, "lm_head", k.head,
                      {Groups(kSampleVocabulary / 4), Groups(1), Groups(1)},
                      {o.row, o.head, o.logits});
  builder.AddDispatch(entry, "argmax", k.argmax, one, {o.logits, o.token});
  auto& dispatches = builder.plan().entry_points[entry]->forms[0]->dispatches;
  auto& lm_head = *dispatches[dispatches.size() - 2];
  lm_head.flops = 2 * kSampleVocabulary * kSampleChannels;
  lm_head.read_bytes = 4 * kSampleVocabulary * kSampleChannels;
  lm_head.write_bytes = 4 * kSampleVocabulary;
  builder.AddOutput(entry, "logits", o.logits, {1, 1, 1, kSampleVocabulary});
  builder.AddOutput(entry, "token", o.token, {1});
}

void AddBody(PlanBuilder& builder, const char* name, uint32_t tokens,
             int64_t chunk, const Objects& o, const Kernels& k) {
  const uint32_t entry = builder.AddEntryPoint(name);
  builder.plan().entry_points[entry]->parameters = {
      schema::ParameterRange(kPosition, 0, kSampleContext - 1),
      schema::ParameterRange(kActive, 0, static_cast<int32_t>(chunk)),
      schema::ParameterRange(kEnd, 0, kSampleContext),
      schema::ParameterRange(kRow, 0, kSampleChunk - 1)};
  builder.AddInput(entry, "tokens", tokens, {chunk});
  builder.AddDispatch(entry, "embedding", k.embed,
                      {Groups(1, kActive), Groups(1), Groups(1)},
                      {tokens, o.embedding, o.gain, o.x, o.parameters});
  auto& embed = *builder.plan().entry_points[entry]->forms[0]->dispatches[0];
  embed.read_bytes = embed.write_bytes = chunk * 16;
  embed.cost_param = kActive;
  embed.cost_full = chunk;
  builder.AddDispatch(entry, "layers.0.accumulate", k.accumulate,
                      {Groups(1), Groups(1), Groups(1)},
                      {o.x, o.acc, o.hidden, o.parameters});
  AddHead(builder, entry, o, k);
}

}  // namespace

std::vector<float> SampleGain() { return {1.0f, 0.5f, -1.0f, 2.0f}; }

PlanBuilder SamplePlan() {
  PlanBuilder builder;
  schema::PlanT& plan = builder.plan();
  plan.model->context = kSampleContext;
  plan.model->prefill_chunk = kSampleChunk;
  plan.model->vocabulary = kSampleVocabulary;
  plan.model->layers = 1;
  plan.model->eos = {0};
  plan.model->parameters = 2 * kSampleVocabulary * kSampleChannels;
  plan.parameters = {"position", "active", "end", "row"};
  const Objects objects = AddObjects(builder);
  const Kernels kernels = AddKernels(builder);
  AddBody(builder, "prefill", objects.tokens, kSampleChunk, objects, kernels);
  AddBody(builder, "decode", objects.one_token, 1, objects, kernels);
  const uint32_t head = builder.AddEntryPoint("head");
  plan.entry_points[head]->parameters = {
      schema::ParameterRange(kRow, 0, kSampleChunk - 1)};
  AddHead(builder, head, objects, kernels);
  plan.memory->naive_bytes = 2 * plan.memory->arena_bytes;
  plan.memory->lower_bound_bytes = kSampleChunk * 16;
  plan.memory->pool_bytes = 16;
  return builder;
}

std::vector<float> SampleLogits(absl::Span<const float> embedding,
                                absl::Span<const float> head,
                                absl::Span<const int> tokens) {
  const std::vector<float> gain = SampleGain();
  std::array<float, kSampleChannels> acc = {};
  std::vector<float> logits;
  for (size_t w = 0; w < tokens.size(); ++w) {
    for (size_t c = 0; c < kSampleChannels; ++c) {
      const size_t element =
          static_cast<size_t>(tokens[w]) * kSampleChannels + c;
      acc[c] += embedding[element] * gain[c] * static_cast<float>(w + 1);
    }
    for (size_t o = 0; o < kSampleVocabulary; ++o) {
      float sum = 0;
      for (size_t c = 0; c < kSampleChannels; ++c) {
        sum += head[o * kSampleChannels + c] * acc[c];
      }
      logits.push_back(sum);
    }
  }
  return logits;
}

}  // namespace millrace::plan
