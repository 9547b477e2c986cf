import { type LookupAddress, lookup } from "node:dns";
import { get } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./addresses.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 32 * 1024;

/** Why the document of a client could not be read; a sentence for people. */
export class DocumentProblem extends Error {
  constructor(why: string) {
    super(why);
    this.name = "DocumentProblem";
  }
}

const notPublic = () => new DocumentProblem("Its address is not one of the public internet.");

/** Resolves a name for the connection itself, so that the address that was checked is the one connected to. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, "");
    const [first] = found;
    if (!first || !found.every(({ address }) => isPublicAddress(address))) return callback(notPublic(), "");
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

/**
 * Reads the metadata document at an address that a stranger chose (https): only from the public internet, without following
 * redirects, within 5 seconds and 32 KiB. Throws `DocumentProblem`.
 */
export async function readClientDocument(address: string): Promise<unknown> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !isPublicAddress(host)) throw notPublic();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return JSON.parse(await read(url, signal));
  } catch (error) {
    if (error instanceof DocumentProblem) throw error;
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
