// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic: precedence, what is nested, what becomes a local.
//
// RUN: millrace-opt %s -emit-source -o /dev/null > %t.cl
// RUN: FileCheck %s --check-prefixes=CHECK,CL < %t.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.cl
// RUN: millrace-opt %s -emit-source=language=metal -o /dev/null > %t.metal
// RUN: FileCheck %s --check-prefixes=CHECK,MSL < %t.metal
// RUN: clang -x c++ -std=c++17 -fsyntax-only -Wno-unknown-attributes -I %S/../../../tests/metal_shim %t.metal

!in = !kernel.object<buffer, 1 x f32, read>
!in4 = !kernel.object<buffer, 4 x f32, read>
!ints = !kernel.object<buffer, 1 x i32, read>
!out = !kernel.object<buffer, 1 x f32, write>
!out4 = !kernel.object<buffer, 4 x f32, write>

// CHECK-LABEL: kernel void precedence(
// CHECK: y[i * 4 + 1] = (a + b) * a - a / (b - a);
// CHECK: y[(i >> 2) + (i & 3)] = -(a - b);
// CHECK: y[i / 3 % 5] = a < b && i != 2 ? a : exp(b);
kernel.func @precedence(%x: !in, %y: !out) group [8, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %i = kernel.global_id 0 loc("i")
  %a = kernel.load %x[%c0] : !in -> f32 loc("a")
  %b = kernel.load %x[%c1] : !in -> f32 loc("b")
  %sum = arith.addf %a, %b : f32
  %product = arith.mulf %sum, %a : f32
  %difference = arith.subf %b, %a : f32
  %quotient = arith.divf %a, %difference : f32
  %r = arith.subf %product, %quotient : f32
  %i4 = arith.muli %i, %c4 : index
  %at = arith.addi %i4, %c1 : index
  kernel.store %r, %y[%at] : f32, !out
  %d = arith.subf %a, %b : f32
  %n = arith.negf %d : f32
  %q = arith.divui %i, %c4 : index
  %m = arith.remui %i, %c4 : index
  %qm = arith.addi %q, %m : index
  kernel.store %n, %y[%qm] : f32, !out
  %less = arith.cmpf olt, %a, %b : f32
  %other = arith.cmpi ne, %i, %c2 : index
  %both = arith.andi %less, %other : i1
  %e = math.exp %b : f32
  %s = arith.select %both, %a, %e : f32
  %q3 = arith.divui %i, %c3 : index
  %q5 = arith.remui %q3, %c5 : index
  kernel.store %s, %y[%q5] : f32, !out
}

// Numbers read back as they were; conversions are explicit.
// CHECK-LABEL: kernel void numbers(
// CHECK: y[0] = a * 0.33333334f + -INFINITY;
// CL: y[1] = (float)n[0] + as_float(7);
// MSL: y[1] = float(n[0]) + as_type<float>(7);
// CL: y[2] = erf(a);
// MSL: y[2] = millrace_erf(a);
kernel.func @numbers(%x: !in, %n: !ints, %y: !out) group [8, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %third = arith.constant 0.33333334 : f32
  %low = arith.constant 0xFF800000 : f32
  %a = kernel.load %x[%c0] : !in -> f32 loc("a")
  %p = arith.mulf %a, %third : f32
  %r = arith.addf %p, %low : f32
  kernel.store %r, %y[%c0] : f32, !out
  %int = kernel.load %n[%c0] : !ints -> i32
  %float = arith.sitofp %int : i32 to f32
  %seven = arith.constant 7 : i32
  %bits = arith.bitcast %seven : i32 to f32
  %s = arith.addf %float, %bits : f32
  kernel.store %s, %y[%c1] : f32, !out
  %e = math.erf %a : f32
  kernel.store %e, %y[%c2] : f32, !out
}

// CHECK-LABEL: kernel void vectors(
// CHECK: float a = v.x + v.y + v.z + v.w;
// CHECK: float b = fmax(fmax(fmax(v.x, v.y), v.z), v.w);
// CHECK: float c = dot(v, v);
// CL: y[0] = (float4)(a, b, c, v.w);
// MSL: y[0] = float4(a, b, c, v.w);
// CHECK: y[1] = v.wzyx * a + 2.0f;
// CL: float4 m = (float4)(v.xyw, a);
// CL: y[2] = (float4)(m.x, a, m.z, m.w);
// CL: y[3] = fma(v, (float4)(a), (float4)(0.0f));
// CL: y[4] = select((float4)(0.0f), v, v > (float4)(0.0f));
// MSL: y[4] = select(float4(0.0f), v, v > float4(0.0f));
// OpenCL C takes a lane by its sign bit.
// CL: y[0] = select((float4)(0.0f), v, (int4)(-1, -1, -1, false));
// MSL: y[0] = select(float4(0.0f), v, bool4(true, true, true, false));
kernel.func @vectors(%x: !in4, %y: !out4) group [8, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %two = arith.constant dense<2.0> : vector<4xf32>
  %v = kernel.load %x[%c0] : !in4 -> vector<4xf32> loc("v")
  %a = vector.reduction <add>, %v : vector<4xf32> into f32 loc("a")
  %b = vector.reduction <maximumf>, %v : vector<4xf32> into f32 loc("b")
  %c = kernel.dot %v, %v : vector<4xf32> loc("c")
  %w = vector.extract %v[3] : f32 from vector<4xf32>
  %abc = vector.from_elements %a, %b, %c, %w : vector<4xf32>
  kernel.store %abc, %y[%c0] : vector<4xf32>, !out4
  %reverse = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  %a4 = vector.broadcast %a : f32 to vector<4xf32>
  %p = arith.mulf %reverse, %a4 : vector<4xf32>
  %s = arith.addf %p, %two : vector<4xf32>
  kernel.store %s, %y[%c1] : vector<4xf32>, !out4
  %mixed = vector.shuffle %v, %a4 [0, 1, 3, 4] : vector<4xf32>, vector<4xf32> loc("m")
  %inserted = vector.insert %a, %mixed [1] : f32 into vector<4xf32>
  kernel.store %inserted, %y[%c2] : vector<4xf32>, !out4
  %f = math.fma %v, %a4, %zero : vector<4xf32>
  kernel.store %f, %y[%c3] : vector<4xf32>, !out4
  %is = arith.cmpf ogt, %v, %zero : vector<4xf32>
  %r = arith.select %is, %v, %zero : vector<4xi1>, vector<4xf32>
  kernel.store %r, %y[%c4] : vector<4xf32>, !out4
  %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
  %cut = arith.select %mask, %v, %zero : vector<4xi1>, vector<4xf32>
  kernel.store %cut, %y[%c0] : vector<4xf32>, !out4
}
