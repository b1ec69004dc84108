// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/memory_map_svg.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "runtime/plan/lifetimes.h"
#include "runtime/plan/text.h"

namespace millrace::plan {
namespace {

// Pixels.
constexpr double kPanelWidth = 960;
constexpr double kPanelHeight = 320;
constexpr double kMargin = 60;
constexpr double kPanelStep = kPanelHeight + kMargin;
constexpr double kSmallestLabel = 40;  // the narrowest box with a name on it

// Neighbours in the list differ in hue; text on any of them is readable.
constexpr const char* kColors[] = {"#9ecae1", "#fdd0a2", "#a1d99b", "#dadaeb",
                                   "#fcbba1", "#c7e9c0", "#fee391", "#bdbdbd"};

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Where each slab of the arena starts in the picture: one upon the other.
using Bases = std::vector<int64_t>;

Bases ArenaBases(const schema::Plan& plan) {
  Bases bases;
  int64_t next = 0;
  for (const schema::Slab* slab : *plan.slabs()) {
    bases.push_back(next);
    next += slab->memory() == schema::Memory::Arena ? slab->bytes() : 0;
  }
  return bases;
}

const Dispatches& FirstForm(const schema::EntryPoint& entry) {
  return *entry.forms()->Get(0)->dispatches();
}

// One panel's scale: dispatches to x, bytes of the arena to y.
struct Panel {
  double top;
  double dispatches;
  double bytes;
  const Bases& bases;

  double X(double dispatch) const {
    return kMargin + dispatch / dispatches * kPanelWidth;
  }
  double Y(double offset) const {
    return top + kPanelHeight - offset / bytes * kPanelHeight;
  }
};

void AppendBox(const schema::Object& object, const Lifetime& life,
               const Panel& panel, const char* color, std::string* out) {
  const double x = panel.X(life.first);
  const double width = panel.X(life.last + 1.0) - x;
  const int64_t start =
      panel.bases[static_cast<size_t>(object.slab())] + object.offset();
  const double y = panel.Y(static_cast<double>(start + object.bytes()));
  const double height = panel.Y(static_cast<double>(start)) - y;
  const std::string name = Escaped(Text(object.name()));
  absl::StrAppendFormat(
      out,
      "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
      "fill=\"%s\" stroke=\"#444\" stroke-width=\"0.5\">"
      "<title>%s: %d bytes at %d, dispatches %d to %d</title></rect>\n",
      x, y, width, height, color, name, object.bytes(), start, life.first,
      life.last);
  if (width < kSmallestLabel || height < 10) {
    return;
  }
  absl::StrAppendFormat(out, "<text x=\"%.2f\" y=\"%.2f\">%s</text>\n", x + 3,
                        y + height / 2 + 3, name);
}

void AppendPanel(const schema::Plan& plan, const schema::EntryPoint& entry,
                 const std::vector<Lifetime>& lives, double top,
                 std::string* out) {
  const int64_t arena_bytes = plan.memory()->arena_bytes();
  const Bases bases = ArenaBases(plan);
  const Panel panel = {
      top, std::max(1.0, static_cast<double>(FirstForm(entry).size())),
      std::max(1.0, static_cast<double>(arena_bytes)), bases};
  absl::StrAppendFormat(
      out,
      "<text x=\"%.0f\" y=\"%.0f\" class=\"title\">%s: %d dispatches, arena "
      "%d bytes</text>\n<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" "
      "height=\"%.0f\" fill=\"none\" stroke=\"#000\"/>\n",
      kMargin, top - 8, Escaped(Text(entry.name())), FirstForm(entry).size(),
      arena_bytes, kMargin, top, kPanelWidth, kPanelHeight);
  size_t color = 0;
  for (const Lifetime& life : lives) {
    AppendBox(*plan.objects()->Get(life.object), life, panel,
              kColors[color++ % std::size(kColors)], out);
  }
}

}  // namespace

std::string MemoryMapSvg(const schema::Plan& plan) {
  std::string panels;
  double top = kMargin;
  for (const schema::EntryPoint* entry : *plan.entry_points()) {
    const std::vector<Lifetime> lives =
        LifetimesOf(plan, FirstForm(*entry), schema::Memory::Arena);
    if (lives.empty()) {
      continue;
    }
    AppendPanel(plan, *entry, lives, top, &panels);
    top += kPanelStep;
  }
  return absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
      "height=\"%.0f\">\n<style>text { font: 9px sans-serif } .title { font: "
      "bold 13px sans-serif }</style>\n%s</svg>\n",
      kPanelWidth + 2 * kMargin, top, panels);
}

}  // namespace millrace::plan
