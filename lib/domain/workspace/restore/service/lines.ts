import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { OperatorError } from "#lib/settings/operator-error.ts";

/** Longer than any row can be: a note has at most 2 million characters. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;

export type Line = { number: number; text: string };

/** The lines of a file, of which one is in memory at a time, and the SHA-256 of all of it once it is read. */
export function linesOf(path: string): { lines: AsyncGenerator<Line>; sha256(): string } {
  const hash = createHash("sha256");
  let digest: string | null = null;
  async function* read(): AsyncGenerator<Line> {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
    let number = 0;
    let parts: Buffer[] = [];
    let size = 0;
    const take = (): Line => {
      number += 1;
      const bytes = Buffer.concat(parts);
      parts = [];
      size = 0;
      try {
        return { number, text: decoder.decode(bytes) };
      } catch {
        throw new OperatorError(`Line ${number}: it is not UTF-8.`);
      }
    };
    for await (const chunk of opened(path)) {
      hash.update(chunk);
      let from = 0;
      for (let end = chunk.indexOf(10, from); end >= 0; end = chunk.indexOf(10, from)) {
        parts.push(chunk.subarray(from, end));
        from = end + 1;
        yield take();
      }
      parts.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > MOST_LINE_BYTES) throw new OperatorError(`Line ${number + 1}: it is longer than any row can be.`);
    }
    if (size > 0) yield take();
    digest = hash.digest("hex");
  }
  return {
    lines: read(),
    sha256() {
      if (digest === null) throw new Error("the file is not read to its end");
      return digest;
    },
  };
}

async function* opened(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code) throw error;
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
