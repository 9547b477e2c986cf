/** A vector of length 1, so that the product of two is their cosine; null for one without a direction. */
export function unit(vector: readonly number[]): Float32Array | null {
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0 ? Float32Array.from(vector, (value) => value / length) : null;
}

/** The signs of a vector as text of 0 and 1. Vectors that point alike differ in few signs. */
export const signsOf = (vector: Float32Array): string =>
  Array.from(vector, (value) => (value > 0 ? "1" : "0")).join("");

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

/** Reads what Postgres' `array_send` makes of a one-dimensional real[]: a header, then length and big-endian value of each. */
export function readReals(sent: Buffer): Float32Array {
  const [header, item] = [20, 8];
  return Float32Array.from({ length: (sent.length - header) / item }, (_, index) =>
    sent.readFloatBE(header + index * item + 4),
  );
}
