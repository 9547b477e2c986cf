export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const MAGIC: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "a ZIP archive or an Excel workbook"],
  [[0x50, 0x4b, 0x05, 0x06], "an empty ZIP archive"],
  [[0x1f, 0x8b], "compressed with gzip"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an old Excel workbook"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF"],
  [[0x37, 0x7a, 0xbc, 0xaf], "a 7z archive"],
  [[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd"],
  [[0x42, 0x5a, 0x68], "compressed with bzip2"],
];

/** Why a file that begins like this is no CSV; null when it may be one. */
export function notText(head: Buffer): string | null {
  const [, what] = MAGIC.find(([bytes]) => bytes.every((byte, place) => head[place] === byte)) ?? [];
  if (what) return `The file is ${what}, not CSV. Save it as CSV, and send that.`;
  if (encodingOfHead(head) !== null || !head.includes(0)) return null;
  return "The file holds bytes that no text has, so it is no CSV.";
}

/** What the first bytes say of a file's encoding; null when they leave it open. */
function encodingOfHead(head: Buffer): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  const some = head.subarray(0, 2_000 - (head.length % 2));
  const zeros = [0, 0];
  for (const [place, byte] of some.entries()) if (byte === 0) zeros[place % 2] = (zeros[place % 2] as number) + 1;
  const [even, odd] = zeros as [number, number];
  if (odd > some.length / 4 && even === 0) return "utf-16le";
  if (even > some.length / 4 && odd === 0) return "utf-16be";
  return null;
}

/** Decides the encoding while the file goes by: UTF-8 while every byte is, else Windows-1252. */
export class EncodingFinder {
  private readonly decoder = new TextDecoder("utf-8", { fatal: true });
  private certain: Encoding | null = null;
  private begun = false;
  private lines = 1;
  /** line of the first bytes that are not UTF-8 */
  badLine: number | null = null;

  take(bytes: Buffer): void {
    if (!this.begun) {
      this.begun = true;
      this.certain = encodingOfHead(bytes);
    }
    if (this.badLine !== null || (this.certain !== null && this.certain !== "utf-8")) return;
    try {
      this.decoder.decode(bytes, { stream: true });
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) this.lines++;
    } catch {
      this.badLine = this.lines + linesBeforeFault(bytes);
    }
  }

  end(): Encoding {
    if (this.badLine === null && (this.certain === null || this.certain === "utf-8")) {
      try {
        this.decoder.decode();
      } catch {
        this.badLine = this.lines;
      }
    }
    if (this.certain !== null && this.certain !== "utf-8") return this.certain;
    return this.badLine === null ? "utf-8" : "windows-1252";
  }
}

/** How many lines end before the first bytes that are not UTF-8. */
function linesBeforeFault(bytes: Buffer): number {
  let count = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    // A character that an earlier piece began is no fault.
    let begin = 0;
    while (from === 0 && begin < 3 && ((line[begin] ?? 0) & 0xc0) === 0x80) begin++;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(line.subarray(begin));
    } catch {
      return count;
    }
    if (end < 0) return count;
    count++;
    from = end + 1;
  }
  return count;
}
