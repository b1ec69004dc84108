// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel/builders/rotation.h"

namespace millrace::kernel {
namespace {

// Channels 4s .. 4s+3 of the head that starts at `first_channel`, when slices
// lie wholly in one half of the head.
Val RotateSlice(Body& body, const Rotation& r, Val w, Val position,
                Val first_channel, Val s) {
  const int64_t half_slices = r.half() / kSlice;
  Val zero = body.Index(0);
  Val base = first_channel / kSlice;
  Val pair = Named((s + half_slices) % (2 * half_slices), "pair");
  Val own = body.Read(r.x, {zero, zero, w, base + s});
  Val other = body.Read(r.x, {zero, zero, w, base + pair});
  Val angle = Named(Broadcast(body.ToFloat(position), kSlice) *
                        body.Read(r.inv_freq, {s % half_slices}),
                    "angle");
  // First half: x cos - pair sin; second half: x cos + pair sin.
  Val first = Less(s, body.Index(half_slices));
  Val sign =
      Broadcast(Select(first, body.Float(-1.0), body.Float(1.0)), kSlice);
  return MultiplyAdd(other * sign, Sin(angle), own * Cos(angle));
}

// Channel i of the head that starts at `first_channel`.
Val RotateChannel(Body& body, const Rotation& r, Val w, Val position,
                  Val first_channel, Val i) {
  Val zero = body.Index(0);
  Val pair = (i + r.half()) % r.head_dim;
  Val own = body.ReadElement(r.x, {zero, zero, w, first_channel + i});
  Val other = body.ReadElement(r.x, {zero, zero, w, first_channel + pair});
  Val angle =
      body.ToFloat(position) * body.ReadElement(r.inv_freq, {i % r.half()});
  Val sign =
      Select(Less(i, body.Index(r.half())), body.Float(-1.0), body.Float(1.0));
  return MultiplyAdd(other * sign, Sin(angle), own * Cos(angle));
}

// Like RotateSlice, lane by lane, for heads of any size. Lanes past the head
// repeat its last channel.
Val RotateLanes(Body& body, const Rotation& r, Val w, Val position,
                Val first_channel, Val s) {
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Val i = Min(s * kSlice + lane, body.Index(r.head_dim - 1));
    lanes.push_back(RotateChannel(body, r, w, position, first_channel, i));
  }
  return Pack(lanes);
}

}  // namespace

Val Rotate(Body& body, const Rotation& r, Val w, Val position,
           Val first_channel, Val s) {
  return r.half() % kSlice == 0
             ? RotateSlice(body, r, w, position, first_channel, s)
             : RotateLanes(body, r, w, position, first_channel, s);
}

Val RotateAnySlice(Body& body, const Rotation& r, Val w, Val position, Val s) {
  if (r.head_dim % kSlice == 0) {
    const int64_t head_slices = r.head_dim / kSlice;
    return Rotate(body, r, w, position, s / head_slices * r.head_dim,
                  s % head_slices);
  }
  std::vector<Val> lanes;
  for (int64_t lane = 0; lane < kSlice; ++lane) {
    Val c = Min(s * kSlice + lane, body.Index(r.channels - 1));
    Val i = c % r.head_dim;
    lanes.push_back(RotateChannel(body, r, w, position, c - i, i));
  }
  return Pack(lanes);
}

}  // namespace millrace::kernel
