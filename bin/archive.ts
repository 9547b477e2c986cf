/** Writes the archive that `unpack.mjs` reads. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** All files of the folder in one compressed file. Modes are not kept: nothing in it is run but by Node. */
export function archiveOf(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const contents = files.map((file) => readFileSync(file));
  const names = files.map((file) => path.relative(folder, file).split(path.sep).join("/"));
  const index = Buffer.from(JSON.stringify(names.map((name, place) => [name, contents[place]?.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  const packed = Buffer.concat([length, index, ...contents]);
  return brotliCompressSync(packed, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: packed.length },
  });
}
