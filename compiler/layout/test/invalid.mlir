// RUN: millrace-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{wanted buffer, image_buffer, texture_2d, texture_array or texture_3d; found texture_4d}}
func.func private @unknown_storage(tensor<4xf32, #layout.of<texture_4d, "LINEAR">>)

// -----

// expected-error@+1 {{L1: layout form 'NCHW': wanted an axis (B H W D C G O I or S) at character 1 of 'NCHW'}}
func.func private @unknown_form(tensor<1x1x1x4xf32, #layout.of<buffer, "NCHW">>)

// -----

// expected-error@+1 {{L1: layout form 'DSHWBC4': takes no og, found og = 4}}
func.func private @no_groups(tensor<1x1x1x4xf32, #layout.of<buffer, "DSHWBC4", og = 4>>)

// -----

// expected-error@+1 {{L2: layout form 'HSWBDC4' does not fit a tensor of rank 2}}
func.func private @rank(tensor<4x4xf32, #layout.of<texture_2d, "HSWBDC4">>)

// -----

// expected-error@+1 {{L2: layout form 'LINEAR': axis B is not placed by the layout}}
func.func private @axis_left_out(tensor<1x1x1x4xf32, #layout.of<buffer, "LINEAR">>)

// -----

// expected-error@+1 {{L2: layout form 'WEIGHTS_O4I4': wanted 4 lanes for texture_2d, found 16}}
func.func private @lanes(tensor<8x8xf32, #layout.of<texture_2d, "WEIGHTS_O4I4">>)

// -----

// expected-error@+1 {{axis W: wanted a static extent}}
func.func private @dynamic(tensor<1x1x?x4xf32, #layout.of<buffer, "DSHWBC4">>)

// -----

// expected-error@+1 {{L2: wanted elements that are integers or floats, found 'index'}}
func.func private @elements(tensor<4xindex, #layout.of<buffer, "LINEAR">>)
