import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, gunzip, gzip, gzipSync } from "node:zlib";
import { Fault } from "#lib/core/errors.ts";
import { type Answer, type Exchange, tooLarge } from "./exchange.ts";
import { accepts } from "./static-files.ts";

type WithHeaders = Pick<Exchange, "header">;

/** Whether the body comes as gzip. Throws 415 for any other encoding. */
function isGzip({ header }: WithHeaders): boolean {
  const encoding = (header("content-encoding") ?? "").trim().toLowerCase() || "identity";
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  if (encoding === "identity") return false;
  const extras = { content_encoding: encoding.slice(0, 100), supported: ["gzip", "identity"] };
  const named = `The body has the Content-Encoding "${extras.content_encoding}".`;
  throw new Fault("unsupported_media_type", extras, `${named} Send it as gzip, or without one.`);
}

/** The body as it was before it was compressed, if it was. Throws 413 for what is larger than `limit` unpacked. */
export async function unpacked(exchange: WithHeaders, body: Buffer, limit: number): Promise<Buffer> {
  if (!isGzip(exchange)) return body;
  if (body.length === 0) throw brokenGzip();
  return promisify(gunzip)(body, { maxOutputLength: limit }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ERR_BUFFER_TOO_LARGE" ? tooLarge(limit) : brokenGzip();
  });
}

/** As `unpacked`, while the body arrives; its reader bounds what comes out. */
export function unpackedStream(exchange: WithHeaders & Pick<Exchange, "stream">): AsyncIterable<Buffer> {
  return isGzip(exchange) ? piecesOf(exchange.stream()) : exchange.stream();
}

async function* piecesOf(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = createGunzip();
  pipeline(Readable.from(packed), pieces, () => undefined); // an error reaches the loop below
  try {
    for await (const piece of pieces) yield piece as Buffer;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith("Z_") ? brokenGzip() : error;
  }
}

const brokenGzip = () =>
  new Fault("invalid_encoding", {}, "Content-Encoding says gzip, but the body is not gzip, or not all of it.");

/** Below this an answer fits into one packet either way. */
const SMALL = 1024;
/** Up to here packing takes a tenth of a millisecond; handing it to another thread takes longer, and another wait for a core. */
const AT_ONCE = 64 * 1024;
/** More makes an answer little smaller and takes twice as long. */
const LEVEL = 3;

const TEXT = /^(application\/([\w.-]+\+)?json|text\/(?!event-stream))/;

/**
 * The answer, as gzip when the caller accepts it and that is worth it. What is written while it is made, and what is named by an ETag,
 * is never changed.
 */
export function packed(answer: Answer, acceptEncoding: string | undefined): Answer | Promise<Answer> {
  const { headers, body } = answer;
  if (body === null || typeof body === "function" || body.length <= SMALL) return answer;
  if (headers.ETag || headers["Content-Encoding"] || !TEXT.test(headers["Content-Type"] ?? "")) return answer;
  headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : "Accept-Encoding";
  if (!acceptEncoding || !accepts(acceptEncoding, "gzip")) return answer;
  const asGzip = (small: Buffer): Answer => ({
    ...answer,
    headers: { ...headers, "Content-Encoding": "gzip" },
    body: small,
  });
  if (body.length <= AT_ONCE) return asGzip(gzipSync(body, { level: LEVEL }));
  return promisify(gzip)(body, { level: LEVEL }).then(asGzip);
}
