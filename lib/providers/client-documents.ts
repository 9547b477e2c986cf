import { get } from "node:https";
import { checkedLookup, NotPublic, requirePermitted } from "./checked-lookup.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 32 * 1024;

/** Why the document of a client could not be read; a sentence for people. */
export class DocumentProblem extends Error {
  constructor(why: string) {
    super(why);
    this.name = "DocumentProblem";
  }
}

const publicLookup = checkedLookup();

/**
 * Reads the metadata document at an address that a stranger chose (https): only from the public internet, without following
 * redirects, within 5 seconds and 32 KiB, and from none but `hosts`, where there are any. Throws `DocumentProblem`.
 */
export async function readClientDocument(address: string, hosts: readonly string[] = []): Promise<unknown> {
  const url = new URL(address);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    requirePermitted(url, undefined, hosts);
    return JSON.parse(await read(url, signal));
  } catch (error) {
    if (error instanceof DocumentProblem) throw error;
    if (error instanceof NotPublic) throw new DocumentProblem(error.message);
    if (signal.aborted) throw new DocumentProblem("It did not answer in time.");
    if (error instanceof SyntaxError) throw new DocumentProblem("What it answered is not JSON.");
    throw new DocumentProblem("It cannot be reached.");
  }
}

function read(url: URL, signal: AbortSignal): Promise<string> {
  const headers = { accept: "application/json", "user-agent": "rapport" };
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, lookup: publicLookup, signal, headers }, (response) => {
      const give = (why: string) => {
        response.destroy();
        reject(new DocumentProblem(why));
      };
      if (response.statusCode !== 200) return give(`It answered with status ${response.statusCode}.`);
      if (!/^application\/([\w.-]+\+)?json\b/i.test(response.headers["content-type"] ?? ""))
        return give("What it answered is not JSON.");
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) give(`It is larger than ${MAX_BYTES / 1024} KiB.`);
        else chunks.push(chunk);
      });
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      response.on("error", reject);
    });
    request.on("error", reject);
  });
}
