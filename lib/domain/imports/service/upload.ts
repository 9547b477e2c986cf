import { Buffer } from "node:buffer";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { type FileGiven, implementAlone } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { keepChunk } from "../queries/batches.ts";
import {
  countWaiting,
  deleteImport,
  findImport,
  findImportToChange,
  insertImport,
  setImport,
} from "../queries/imports.ts";
import { notText } from "../rules/encoding.ts";
import { importOf } from "../serialize.ts";
import { BadFile, insideOf, readFile } from "./reading.ts";
import { queueReading, tellImports } from "./work.ts";

const CHUNK_BYTES = 256 * 1024;

/** Up to here a file is read before the answer. */
const READ_AT_ONCE = 4 * 1024 * 1024;

const MOST_WAITING = 20;

export const createImport = implementAlone(contract.createImport, async (caller, input, file) => {
  const inside = insideOf(caller);
  const id = newId();
  const name = input.name ?? input.file_name?.replace(/\.[a-z]{2,4}$/i, "").slice(0, 200);
  await inside(async (ctx) => {
    if ((await countWaiting(ctx.db)) >= MOST_WAITING) throw new Fault("too_many_imports");
    const createdBy = `${caller.actor.type}:${caller.actor.id}`;
    const named = name?.trim() || "Import";
    await insertImport(ctx.db, { id, name: named, kind: input.kind, fileName: input.file_name ?? null, createdBy });
  });
  try {
    const bytes = await keepFile(caller, id, file ?? [Buffer.from(input.content, "utf8")]);
    await inside(async (ctx) => {
      const record = await findImportToChange(ctx.db, id);
      if (record?.state !== "uploading") throw new Fault("import_not_found"); // given up meanwhile
      await setImport(ctx.db, id, { bytes, state: "reading" });
      if (bytes > READ_AT_ONCE) await queueReading(ctx, id);
      tellImports(ctx);
    });
    if (bytes <= READ_AT_ONCE) await readFile(caller, id);
  } catch (error) {
    await inside((ctx) => deleteImport(ctx.db, id)).catch(() => undefined); // else the maintenance does
    if (error instanceof BadFile) throw new Fault("invalid_file", {}, error.message);
    throw error;
  }
  return inside(async (ctx) => {
    const record = await findImport(ctx.db, id);
    if (!record) throw new Fault("import_not_found");
    return { import: importOf(record) };
  });
});

/** Keeps the file as it arrives, in pieces, and returns its size. */
async function keepFile(caller: Caller, id: string, file: FileGiven): Promise<number> {
  const inside = insideOf(caller);
  let place = 0;
  let total = 0;
  let waiting: Buffer[] = [];
  let size = 0;
  const flush = async () => {
    if (size === 0) return;
    const bytes = Buffer.concat(waiting);
    waiting = [];
    size = 0;
    if (place === 0) {
      const problem = notText(bytes);
      if (problem) throw new BadFile(problem);
    }
    await inside((ctx) => keepChunk(ctx.db, id, place, bytes));
    place++;
  };
  for await (const piece of file) {
    waiting.push(piece);
    size += piece.length;
    total += piece.length;
    if (size >= CHUNK_BYTES) await flush();
  }
  await flush();
  if (total === 0) throw new BadFile("The file is empty.");
  return total;
}
