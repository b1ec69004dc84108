// SPDX-License-Identifier: Apache-2.0
//
// Loops, branches and what they carry.
//
// RUN: millrace-opt %s -emit-source -o /dev/null > %t.cl
// RUN: FileCheck %s < %t.cl
// RUN: clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64-unknown-unknown -fsyntax-only -Werror %t.cl

!in = !kernel.object<buffer, 1 x f32, read>
!out = !kernel.object<buffer, 1 x f32, write>

// An accumulator of two loops is one variable.
// CHECK-LABEL: kernel void nested(
// CHECK:      float acc = 0.0f;
// CHECK-NEXT: for (int i = 0; i < 8; ++i) {
// CHECK-NEXT:   for (int j = i; j < 16; j += 4) {
// CHECK-NEXT:     acc += x[i + j];
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: y[0] = acc;
kernel.func @nested(%x: !in, %y: !out) group [1, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> f32 {
    %s = scf.for %j = %i to %c16 step %c4 iter_args(%b = %a) -> f32 {
      %at = arith.addi %i, %j : index
      %v = kernel.load %x[%at] : !in -> f32
      %n = arith.addf %b, %v : f32
      scf.yield %n : f32
    } loc("j")
    scf.yield %s : f32
  } loc("i")
  kernel.store %r, %y[%c0] : f32, !out
}

// Values change places at once, not one after the other.
// CHECK-LABEL: kernel void swap(
// CHECK: for (int i = 0; i < 8; ++i) {
// CHECK:   const float next_[[B:.*]] = [[A:.*]];
// CHECK:   [[A]] = [[B]];
// CHECK:   [[B]] = next_[[B]];
// CHECK: }
kernel.func @swap(%x: !in, %y: !out) group [1, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %one, %b = %two) -> (f32, f32) {
    scf.yield %b, %a : f32, f32
  }
  kernel.store %r#0, %y[%c0] : f32, !out
  kernel.store %r#1, %y[%c1] : f32, !out
}

// A bound that is computed is computed once.
// CHECK-LABEL: kernel void bound(
// CHECK: const int [[END:.*]] = n * 4;
// CHECK: for (int i = 0; i < [[END]]; ++i) {
kernel.func @bound(%x: !in, %y: !out) group [1, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = kernel.global_id 0 loc("n")
  %end = arith.muli %n, %c4 : index
  scf.for %i = %c0 to %end step %c1 {
    %v = kernel.load %x[%i] : !in -> f32
    kernel.store %v, %y[%i] : f32, !out
  }
}

// CHECK-LABEL: kernel void branches(
// CHECK:      float [[V:.*]];
// CHECK-NEXT: if (n < 8) {
// CHECK-NEXT:   [[V]] = x[n];
// CHECK-NEXT: } else {
// CHECK-NEXT:   [[V]] = 1.0f;
// CHECK-NEXT: }
// CHECK-NEXT: if (n == 3) {
// CHECK-NEXT:   y[n] = [[V]];
// CHECK-NEXT: }
kernel.func @branches(%x: !in, %y: !out) group [1, 1, 1] {
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %n = kernel.global_id 0 loc("n")
  %is = arith.cmpi ult, %n, %c8 : index
  %v = scf.if %is -> f32 {
    %l = kernel.load %x[%n] : !in -> f32
    scf.yield %l : f32
  } else {
    scf.yield %one : f32
  }
  %is3 = arith.cmpi eq, %n, %c3 : index
  scf.if %is3 {
    kernel.store %v, %y[%n] : f32, !out
  }
}

// What is read of local memory before a write of it is not read again after.
// CHECK-LABEL: kernel void local_memory(
// CHECK: local float m[8];
// CHECK: const float [[OLD:.*]] = m[n];
// CHECK: m[n] = 1.0f;
// CHECK: barrier(CLK_LOCAL_MEM_FENCE);
// CHECK: y[n] = [[OLD]] + m[0];
kernel.func @local_memory(%x: !in, %y: !out) group [8, 1, 1] {
  %m = kernel.local_alloc : memref<8xf32, 3> loc("m")
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = kernel.local_id 0 loc("n")
  %old = memref.load %m[%n] : memref<8xf32, 3>
  memref.store %one, %m[%n] : memref<8xf32, 3>
  kernel.barrier
  %new = memref.load %m[%c0] : memref<8xf32, 3>
  %r = arith.addf %old, %new : f32
  kernel.store %r, %y[%n] : f32, !out
}
