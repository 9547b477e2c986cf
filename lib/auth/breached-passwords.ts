import { createHash } from "node:crypto";
import { log } from "#lib/core/log.ts";
import { getBoot } from "#lib/settings/boot.ts";

const PATIENCE_MS = 3_000;
/** Of the SHA-1 of a password, so many characters are sent; the answer has the rest of each that begins so. */
const SENT = 5;

/** Whether the collection at `url` (the range API of Have I Been Pwned, or a copy) has a password. Throws when it does not answer as it should. */
export async function askBreached(url: string, password: string): Promise<boolean> {
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // With padding an answer's length tells nothing; lines of padding have the count 0.
  const headers = { "add-padding": "true" };
  const answer = await fetch(`${url.replace(/\/+$/, "")}/${hash.slice(0, SENT)}`, {
    headers,
    signal,
    redirect: "error",
  });
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  const lines = (await answer.text()).split(/\r?\n/);
  return lines.some((line) => line.startsWith(`${hash.slice(SENT)}:`) && !line.endsWith(":0"));
}

/** True for a password of the collection that the operator named. One that does not answer keeps no one out. */
export async function isBreached(password: string): Promise<boolean> {
  const url = getBoot().env.BREACHED_PASSWORDS_URL;
  if (url === undefined) return false;
  try {
    return await askBreached(url, password);
  } catch (error) {
    log.warn({ err: error }, "the collection of breached passwords did not answer: a password was not looked for");
    return false;
  }
}
