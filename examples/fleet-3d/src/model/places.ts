// Positions and rotations on the way to others (`between`, `rotationBetween`), and turns (`turnAround`, `turned`).

/** A turn around the axis that points up, in radians. */
export function turnAround(angle: number): Float32Array {
  return Float32Array.of(0, Math.sin(angle / 2), 0, Math.cos(angle / 2));
}

/** The point that is so much of the way from one to another: 0 to 1. */
export function between(from: ArrayLike<number>, to: ArrayLike<number>, share: number): Float32Array {
  return Float32Array.from(to, (value, at) => from[at]! + (value - from[at]!) * share);
}

/** The rotation that is so much of the way from one to another, along a straight line through the sphere of rotations. */
export function rotationBetween(from: ArrayLike<number>, to: ArrayLike<number>, share: number): Float32Array {
  const dot = from[0]! * to[0]! + from[1]! * to[1]! + from[2]! * to[2]! + from[3]! * to[3]!;
  const sign = dot < 0 ? -1 : 1; // the shorter way round
  const mixed = between(
    from,
    Array.from(to, (part) => sign * part),
    share,
  );
  const length = Math.hypot(...mixed);
  return mixed.map((part) => part / length);
}

/** A rotation after a turn around its own axis that points up. */
export function turned(rotation: Float32Array, angle: number): Float32Array {
  const [x, y, z, w] = rotation as unknown as [number, number, number, number];
  const sine = Math.sin(angle / 2);
  const cosine = Math.cos(angle / 2);
  return Float32Array.of(
    x * cosine - z * sine,
    y * cosine + w * sine,
    z * cosine + x * sine,
    w * cosine - y * sine,
  );
}
