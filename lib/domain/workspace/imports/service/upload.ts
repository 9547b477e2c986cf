import { Buffer } from "node:buffer";
import type { z } from "zod";
import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { type Ctx, implementAlone } from "#lib/domain/implement.ts";
import type { KeptOnce } from "#lib/domain/once.ts";
import type { FileBytes } from "#lib/domain/operation.ts";
import { findWebsite } from "#lib/domain/workspace/workspaces/service.ts";
import * as contract from "../contract.ts";
import { keepChunk } from "../queries/batches.ts";
import {
  countWaiting,
  deleteImport,
  deleteUploading,
  findImport,
  findImportToChange,
  insertImport,
  setImport,
} from "../queries/imports.ts";
import { countryOfWebsite, requireCountry } from "../rules/countries.ts";
import { notNamedText, notText } from "../rules/format.ts";
import { importOf } from "../serialize.ts";
import { BadFile, readFile } from "./reading.ts";
import { insideImport, queueReading, tellImports } from "./work.ts";

const CHUNK_BYTES = 256 * 1024;

/** Up to here a file is read before the answer. */
const READ_AT_ONCE = 4 * 1024 * 1024;

/** When a job reads it that was not read before the answer. */
const READ_LATEST_MS = 60_000;

const MOST_WAITING = 20;

export const createImport = implementAlone(contract.createImport, async (caller, input, { file, once = null } = {}) => {
  const inside = insideImport(caller);
  const misnamed = input.file_name === undefined ? null : notNamedText(input.file_name);
  if (misnamed) throw new Fault("invalid_file", { parameter: "file_name" }, misnamed);
  if (once && (await inside(({ db }) => once.isAnswered(db)))) await compare(caller, once, file);
  const id = newId();
  const name = input.name ?? input.file_name?.replace(/\.[a-z]{2,4}$/i, "").slice(0, 200);
  await inside(async (ctx) => {
    if ((await countWaiting(ctx.db)) >= MOST_WAITING) throw new Fault("too_many_imports");
    const createdBy = nameOfActor(caller);
    const named = name?.trim() || "Import";
    const fileName = input.file_name ?? null;
    const phoneCountry = await phoneCountryOf(ctx, input.phone_country);
    await insertImport(ctx.db, { id, name: named, kind: input.kind, fileName, phoneCountry, createdBy });
  });
  let isCommitting = false;
  let size: number;
  try {
    const bytes = await keepFile(caller, id, file ? added(file, once) : [Buffer.from(input.content, "utf8")]);
    size = bytes;
    await inside(async (ctx) => {
      await once?.claim(ctx.db);
      const record = await findImportToChange(ctx.db, id);
      // An erasure came meanwhile; what was kept after it goes with the record.
      if (record?.state !== "uploading")
        throw new BadFile(record?.problem ?? "The upload took too long. Send the file again.");
      await setImport(ctx.db, id, { bytes, state: "reading" });
      // A small file is read below; the job is for a process that is killed before.
      await queueReading(ctx, id, bytes > READ_AT_ONCE ? null : new Date(Date.now() + READ_LATEST_MS));
      await once?.keep(ctx.db, await answerOf(ctx, id));
      tellImports(ctx);
      isCommitting = true;
    });
  } catch (error) {
    // A commit whose answer was lost may have succeeded: then its job reads the file. The maintenance removes what stays here.
    await inside(({ db }) => (isCommitting ? deleteUploading(db, id) : deleteImport(db, id))).catch(() => undefined);
    throw refusalOf(error);
  }
  if (size <= READ_AT_ONCE)
    await readFile(caller, id).catch(async (error: unknown) => {
      const refusal = refusalOf(error);
      // Any other error leaves the import to its job, which reads it again.
      if (error instanceof BadFile)
        await inside(async ({ db }) => {
          await deleteImport(db, id);
          await once?.keep(db, refusal as Fault);
        });
      throw refusal;
    });
  return inside(async (ctx) => {
    const answer = await answerOf(ctx, id);
    await once?.keep(ctx.db, answer);
    return answer;
  });
});

/** The country that was given, else that of the workspace's website. */
async function phoneCountryOf(
  ctx: Pick<Ctx, "db" | "workspaceId">,
  country: string | undefined,
): Promise<string | null> {
  if (country === undefined) return countryOfWebsite(await findWebsite(ctx));
  requireCountry(country);
  return country;
}

const refusalOf = (error: unknown): unknown =>
  error instanceof BadFile ? new Fault("invalid_file", {}, error.message) : error;

type Answer = z.output<typeof contract.createImport.output>;

async function answerOf(ctx: Pick<Ctx, "db">, id: string): Promise<Answer> {
  const record = await findImport(ctx.db, id);
  if (!record) throw new Fault("import_not_found");
  return { import: importOf(record) };
}

/** Reads a file that was sent before only to compare it; throws the first answer, or that it is another file. */
async function compare(caller: Caller, once: KeptOnce<Answer>, file: FileBytes = []): Promise<never> {
  for await (const piece of file) once.add(piece);
  await insideImport(caller)(({ db }) => once.claim(db));
  throw new Fault("idempotency_key_in_use", { retry_after: 1 }); // its answer has just expired
}

async function* added(file: FileBytes, once: KeptOnce<Answer> | null): AsyncGenerator<Buffer> {
  for await (const piece of file) {
    once?.add(piece);
    yield piece;
  }
}

/** Keeps the file as it arrives, in pieces, and returns its size. */
async function keepFile(caller: Caller, id: string, file: FileBytes): Promise<number> {
  const inside = insideImport(caller);
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
