import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { together } from "#lib/core/together.ts";
import type { Env } from "#lib/settings/env.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import type { Storage } from "./storage.ts";

export type S3Settings = Partial<
  Pick<Env, "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" | "AWS_SESSION_TOKEN" | "AWS_REGION" | "AWS_ENDPOINT_URL">
>;

/** Names of the prefix need no escapes, in addresses or in XML. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

export const isS3 = (place: string): boolean => place.startsWith("s3://");

/** S3 takes at most 10,000 parts of a file: 160 GB. Two of them are in memory. */
const PART = 16 * 2 ** 20;
/** Requests that remove files, at once. */
const AT_ONCE = 8;
/** Tries when a connection breaks, as one that was kept may, and the pause between two. */
const CONNECTIONS = 3;
const PAUSE_MS = 200;
/** Tries after an answer that says to try again. */
const RETRIES = 6;

/**
 * Backups in a bucket of anything that speaks S3, under a prefix. Buckets are in the path of addresses, which all of them
 * understand. Each body is signed with its checksum.
 */
export function s3Storage(place: string, settings: S3Settings): Storage {
  const { bucket, prefix } = partsOf(place);
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_REGION: region = "us-east-1" } = settings;
  if (id === undefined || secret === undefined)
    throw new OperatorError(`${place} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`);
  const client = new AwsClient({
    accessKeyId: id,
    secretAccessKey: secret,
    ...(settings.AWS_SESSION_TOKEN !== undefined && { sessionToken: settings.AWS_SESSION_TOKEN }),
    service: "s3",
    region,
    retries: RETRIES,
  });
  const endpoint = (settings.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "");
  const base = `${endpoint}/${bucket}`;

  const ask = async (method: string, query: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> => {
    const sum = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const init = { method, headers: { "x-amz-content-sha256": sum }, redirect: "manual" as const };
    const send = async (tries: number): Promise<Response> => {
      try {
        return await client.fetch(`${base}${query}`, body ? { ...init, body } : init);
      } catch (error) {
        if (tries > 1) {
          await sleep(PAUSE_MS);
          return send(tries - 1);
        }
        const { message, cause } = error as Error;
        const why = cause instanceof Error ? cause.message || message : message;
        throw new OperatorError(`${place} cannot be reached at ${endpoint}: ${why}.`, { cause: error });
      }
    };
    const answer = await send(CONNECTIONS);
    if (answer.ok || (answer.status === 404 && method !== "PUT" && method !== "POST")) return answer;
    throw refusal(place, answer.status, await answer.text());
  };
  const text = async (...request: Parameters<typeof ask>): Promise<string> => {
    const answer = await ask(...request);
    const body = await answer.text();
    // A missing bucket, and parts that cannot be put together, which is said after the answer began.
    if (!answer.ok || body.includes("<Error>")) throw refusal(place, answer.status, body);
    return body;
  };

  /** All that is listed under a prefix, page by page: files, or with a delimiter the folders. */
  const list = async (under: string, tag: "Key" | "Prefix"): Promise<string[]> => {
    const names: string[] = [];
    let after = "";
    do {
      const query = new URLSearchParams({ "list-type": "2", prefix: under });
      if (tag === "Prefix") query.set("delimiter", "/");
      if (after !== "") query.set("continuation-token", after);
      const page = await text("GET", `?${query}`);
      const listed = tag === "Key" ? page : page.replace(/^.*?(?=<CommonPrefixes>|$)/s, "");
      for (const name of valuesOf(listed, tag)) names.push(name.slice(under.length));
      after = valuesOf(page, "NextContinuationToken")[0] ?? "";
    } while (after !== "");
    return names;
  };
  const at = (name: string) => `/${prefix}${name}`;
  const remove = async (names: readonly string[]): Promise<void> => {
    for (let place = 0; place < names.length; place += AT_ONCE)
      await together(names.slice(place, place + AT_ONCE).map((name) => ask("DELETE", at(name))));
  };
  const files = (folder: string) => list(`${prefix}${folder}/`, "Key");

  return {
    address: place.replace(/\/$/, ""),
    prepare: async () => undefined,
    folders: async () => (await list(prefix, "Prefix")).map((name) => name.replace(/\/$/, "")),
    files,
    read: async (name) => {
      const answer = await ask("GET", at(name));
      if (answer.status !== 404) return bytesOf(answer.body);
      const body = await answer.text();
      if (body.includes("NoSuchBucket")) throw refusal(place, 404, body);
      return null;
    },
    write: async (name, pieces) => {
      let upload: Upload | undefined;
      try {
        for await (const { part, isLast } of partsFrom(pieces)) {
          if (!upload && isLast) return void (await ask("PUT", at(name), part));
          upload ??= new Upload(at(name), ask, text);
          await upload.add(part);
        }
        await upload?.complete();
      } catch (error) {
        await upload?.abort();
        throw error;
      }
    },
    remove,
    removeFolder: async (folder) => remove((await files(folder)).map((name) => `${folder}/${name}`)),
    room: async () => Number.POSITIVE_INFINITY,
  };
}

type Ask = (method: string, query: string, body?: Uint8Array<ArrayBuffer>) => Promise<Response>;

/** A file in parts: one is sent while the next one is made. */
class Upload {
  private readonly file: string;
  private readonly ask: Ask;
  private readonly text: (...request: Parameters<Ask>) => Promise<string>;
  private id: string | undefined;
  private readonly tags: string[] = [];
  private sending: Promise<void> = Promise.resolve();

  constructor(file: string, ask: Ask, text: Upload["text"]) {
    this.file = file;
    this.ask = ask;
    this.text = text;
  }

  async add(part: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.sending;
    this.id ??= encodeURIComponent(valuesOf(await this.text("POST", `${this.file}?uploads=`), "UploadId")[0] ?? "");
    const number = this.tags.push("");
    this.sending = this.ask("PUT", `${this.file}?partNumber=${number}&uploadId=${this.id}`, part).then((answer) => {
      this.tags[number - 1] = answer.headers.get("etag") ?? "";
    });
    this.sending.catch(() => undefined); // It is awaited by the next one, or at the end.
  }

  async complete(): Promise<void> {
    await this.sending;
    const parts = this.tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    await this.text("POST", `${this.file}?uploadId=${this.id}`, new TextEncoder().encode(body));
  }

  /** What was sent is dropped. Where that fails too, a rule of the bucket does it: the guide names it. */
  async abort(): Promise<void> {
    await this.sending.catch(() => undefined);
    if (this.id !== undefined) await this.ask("DELETE", `${this.file}?uploadId=${this.id}`).catch(() => undefined);
  }
}

function partsOf(place: string): { bucket: string; prefix: string } {
  const [, bucket, path = ""] = ADDRESS.exec(place) ?? [];
  if (bucket === undefined || /\/\.\.?(\/|$)/.test(path))
    throw new OperatorError(`${place} is no address of a bucket, such as s3://bucket/rapport.`);
  return { bucket, prefix: path === "" ? "" : `${path.slice(1)}/` };
}

async function* bytesOf(body: Response["body"]): AsyncGenerator<Uint8Array> {
  if (body) yield* body as unknown as AsyncIterable<Uint8Array>;
}

/** Pieces as parts of one size, the last one shorter; at least one. */
async function* partsFrom(
  pieces: Parameters<Storage["write"]>[1],
): AsyncGenerator<{ part: Uint8Array<ArrayBuffer>; isLast: boolean }> {
  let [part, used] = [new Uint8Array(PART), 0];
  for await (const piece of pieces)
    for (let place = 0; place < piece.length; ) {
      if (used === PART) {
        yield { part, isLast: false };
        [part, used] = [new Uint8Array(PART), 0];
      }
      const some = piece.subarray(place, place + PART - used);
      part.set(some, used);
      used += some.length;
      place += some.length;
    }
  yield { part: part.subarray(0, used), isLast: true };
}

const valuesOf = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, value = ""]) => unescaped(value));

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const unescaped = (text: string): string => text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** What S3 says, which names no secret. */
function refusal(place: string, status: number, body: string): OperatorError {
  const [code, message] = [valuesOf(body, "Code")[0], valuesOf(body, "Message")[0]];
  const why = [code, message].filter(Boolean).join(", ") || "no reason";
  return new OperatorError(`${place} answered ${status}: ${why.replace(/\.$/, "")}.`);
}
