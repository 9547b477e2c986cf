import { once } from "node:events";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { Fault, isFault } from "#lib/core/errors.ts";
import type { Body, Contract } from "#lib/core/operation.ts";
import { unpackedStream } from "./content-encoding.ts";
import { type Exchange, tooLarge } from "./exchange.ts";
import { queryFields } from "./parse.ts";

/** Types of CSV. What browsers call a CSV file otherwise comes in a form, where its type does not matter. */
const TEXT: readonly string[] = ["text/csv", "application/csv", "text/tab-separated-values"];

const typeOf = (exchange: Exchange): string =>
  (exchange.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** True when the body is a file, and not the JSON that operations usually take. */
export const isFile = (exchange: Exchange): boolean =>
  typeOf(exchange) === "multipart/form-data" || TEXT.includes(typeOf(exchange));

export type Upload = { fields: Record<string, unknown>; file: AsyncIterable<Buffer> };

/** The fields that come before the file, and the file as it arrives: 413 is thrown while it is read. */
export function openUpload(contract: Contract, exchange: Exchange): Upload | Promise<Upload> {
  const upload = contract.http.body?.file;
  if (!upload) throw new Error(`${contract.name} takes no file`);
  if (Number(exchange.header("content-length") ?? 0) > upload.limit + FORM_BYTES) throw tooLarge(upload.limit);
  const fields: Record<string, unknown> = queryFields(contract, exchange.query);
  const body = unpackedStream(exchange);
  if (typeOf(exchange) !== "multipart/form-data") return { fields, file: bounded(body, upload.limit) };
  return fromForm(upload, exchange, body, fields);
}

/** What a form has around its file. */
const FORM_BYTES = 64 * 1024;

async function* bounded(pieces: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > limit) throw tooLarge(limit);
    yield piece;
  }
}

type Form = NonNullable<Body["file"]>;

async function fromForm(
  { field, fileName, limit }: Form,
  exchange: Exchange,
  body: AsyncIterable<Buffer>,
  fields: Record<string, unknown>,
): Promise<Upload> {
  const form = readerOf(exchange, limit);
  const late: string[] = [];
  let begun = false;
  let reading: BusboyFileStream | undefined;
  let unfed: Error | undefined; // why the body did not arrive, which is no fault of the form
  form.on("field", (name: string, value: string) => {
    if (begun) late.push(name);
    else fields[name] = value;
  });
  const opened = new Promise<Upload>((resolve, reject) => {
    form.on("file", (_name: string, stream: BusboyFileStream, name: string) => {
      if (begun) return void stream.resume();
      begun = true;
      reading = stream;
      // It can break before anyone reads it, when an error that is not listened for would end the process.
      stream.on("error", (error) => stream.destroy(error));
      if (name && fields[fileName] === undefined) fields[fileName] = name.slice(0, 255);
      resolve({ fields, file: partOf(stream, () => late[0]) });
    });
    form.on("finish", () => reject(new Fault("file_required")));
    form.on("error", () => {
      reject(brokenForm());
      reading?.destroy(brokenForm());
    });
    feed(bounded(body, limit + FORM_BYTES), form).catch((error: Error) => {
      unfed = error;
      reject(error);
      reading?.destroy(error); // its reader would wait for ever
    });
  });
  const { file } = await opened;
  if (field in fields) throw new Fault("invalid_parameter", { parameter: field }, `${field} is the file itself.`);
  return { fields, file };

  async function* partOf(stream: BusboyFileStream, lateField: () => string | undefined) {
    try {
      for await (const piece of stream) yield piece as Buffer;
    } catch (error) {
      throw error === unfed || isFault(error) ? error : brokenForm();
    }
    if (stream.truncated) throw tooLarge(limit);
    const name = lateField();
    if (name) throw new Fault("invalid_parameter", { parameter: name }, `Send ${name} before the file.`);
  }
}

const brokenForm = () => new Fault("invalid_request", {}, "The multipart form cannot be read.");

function readerOf(exchange: Exchange, fileSize: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": exchange.header("content-type") as string },
      limits: { files: 1, fileSize, fields: 20, fieldSize: 4_096, parts: 25 },
    });
  } catch {
    throw brokenForm(); // no boundary
  }
}

/** Writes the body into the form's reader, no faster than the file is taken out. */
async function feed(body: AsyncIterable<Buffer>, form: BusboyInstance): Promise<void> {
  for await (const piece of body) {
    if (!form.write(piece)) await once(form, "drain");
  }
  form.end();
}
