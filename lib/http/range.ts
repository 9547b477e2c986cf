/** The part of a file that is sent: from `start` to before `end`. `partial` false: the whole file. */
export type Part = { start: number; end: number; partial: boolean };

const ONE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part that a `Range` header asks for (RFC 9110, section 14); null when it begins behind the end. Several ranges, other
 * units and what cannot be read are answered with the whole file, as is a range of another version (`If-Range`).
 */
export function partOf(
  { range, ifRange }: { range: string | undefined; ifRange: string | undefined },
  etag: string,
  size: number,
): Part | null {
  const whole = { start: 0, end: size, partial: false };
  const [, first, last] = ONE.exec(range?.replaceAll(" ", "") ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return whole;
  if (ifRange !== undefined && ifRange.trim() !== etag) return whole;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { start: size - length, end: size, partial: true };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < start) return whole;
  return start >= size ? null : { start, end, partial: true };
}
