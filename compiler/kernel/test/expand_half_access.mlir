// SPDX-License-Identifier: Apache-2.0
//
// RUN: millrace-opt %s -pass-pipeline="builtin.module(kernel.func(kernel-expand-half-access))" | FileCheck %s --check-prefixes=CHECK,VLOAD
// RUN: millrace-opt %s -pass-pipeline="builtin.module(kernel.func(kernel-expand-half-access{half=bits}))" | FileCheck %s --check-prefixes=CHECK,BITS
// RUN: not millrace-opt %s -pass-pipeline="builtin.module(kernel.func(kernel-expand-half-access{half=none}))" 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: half wants native, vload, vloada, bits or ptx; found none

// Only buffers of f16: textures convert by themselves.

// CHECK-LABEL: kernel.func @copy
kernel.func @copy(%x: !kernel.object<buffer, 4 x f16, read>, %t: !kernel.object<texture_2d, 4 x f16, read>,
                  %y: !kernel.object<buffer, 4 x f32, write>, %z: !kernel.object<buffer, 4 x f16, write>)
    group [8, 1, 1] {
  %i = kernel.global_id 0
  // VLOAD: kernel.load %x[%{{.*}}] half vload :
  // BITS: kernel.load %x[%{{.*}}] half bits :
  %v = kernel.load %x[%i] : !kernel.object<buffer, 4 x f16, read> -> vector<4xf32>
  // CHECK: kernel.load %t[%{{.*}}] :
  %u = kernel.load %t[%i, %i] : !kernel.object<texture_2d, 4 x f16, read> -> vector<4xf32>
  %r = arith.addf %u, %v : vector<4xf32>
  // CHECK: kernel.store %{{.*}}, %y[%{{[a-z0-9]*}}] :
  kernel.store %r, %y[%i] : vector<4xf32>, !kernel.object<buffer, 4 x f32, write>
  // VLOAD: kernel.store %{{.*}}, %z[%{{.*}}] half vload :
  // BITS: kernel.store %{{.*}}, %z[%{{.*}}] half bits :
  kernel.store %r, %z[%i] : vector<4xf32>, !kernel.object<buffer, 4 x f16, write>
}
