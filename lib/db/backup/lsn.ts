/** Bytes of a segment of the write-ahead log, as `initdb` makes it. */
export const SEGMENT_BYTES = 16 * 2 ** 20;
const PER_FILE_ID = 2 ** 32 / SEGMENT_BYTES;

const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, "0");

/** A place in the write-ahead log, such as `3/5A000028`, as a count of bytes. */
export function bytesOf(lsn: string): number {
  const [high, low] = lsn.split("/").map((part) => Number.parseInt(part, 16));
  if (high === undefined || low === undefined || Number.isNaN(high + low))
    throw new Error(`not a log position: ${lsn}`);
  return high * 2 ** 32 + low;
}

/** Numbers and names of segments. */
export const segmentOf = {
  /** the number of the segment that has the byte at a place */
  first: (lsn: string): number => Math.floor(bytesOf(lsn) / SEGMENT_BYTES),
  /** the number of the segment that has the last byte before a place */
  last: (lsn: string): number => Math.floor((bytesOf(lsn) - 1) / SEGMENT_BYTES),
  /** the name of the file with this number */
  number: (timeline: string, number: number): string =>
    timeline + hex(Math.floor(number / PER_FILE_ID)) + hex(number % PER_FILE_ID),
  /** the number in the name of a file */
  name: (name: string): number =>
    Number.parseInt(name.slice(8, 16), 16) * PER_FILE_ID + Number.parseInt(name.slice(16), 16),
};
