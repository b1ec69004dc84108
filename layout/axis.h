// SPDX-License-Identifier: Apache-2.0
//
// The axes of a logical tensor, in the paper's letters (section 3.1):
// activations are BHWC or BHWDC, weights OI, GOI, OHWI, OHWDI or GOHWDI, norm
// weights C. Batch, height, width and depth are the spatial axes of either.

#ifndef MILLRACE_LAYOUT_AXIS_H_
#define MILLRACE_LAYOUT_AXIS_H_

#include <optional>

namespace millrace::layout {

enum class Axis {
  kB,  // batch
  kH,  // height
  kW,  // width: the token positions of a language model
  kD,  // depth, of 3-D convolutions
  kC,  // channels of an activation
  kG,  // groups of weights
  kO,  // output channels of weights
  kI,  // input channels of weights
};

// The letter of an axis: 'B', 'H', ...
char AxisLetter(Axis axis);

// The axis of an upper-case letter, or nothing.
std::optional<Axis> AxisFromLetter(char letter);

}  // namespace millrace::layout

#endif  // MILLRACE_LAYOUT_AXIS_H_
