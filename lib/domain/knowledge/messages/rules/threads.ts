import { createHash } from "node:crypto";
import { uuidOf } from "#lib/core/ids.ts";

/** What of a message places it in a thread. */
export type Placed = { key: string; references: readonly string[]; inReplyTo: string | null };

/** What a message answers, the nearest first, then itself (RFC 5322, 3.6.4). */
export const namesOfThread = ({ key, references, inReplyTo }: Placed): string[] => [
  ...new Set([...(inReplyTo ? [inReplyTo] : []), ...references.toReversed(), key]),
];

/** The id of the thread that begins with a message: a UUID of version 8 (RFC 9562). */
function threadOf(key: string): string {
  const bytes = createHash("sha256").update(key).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOf(bytes);
}

/**
 * The thread of each message, by its key: that of the nearest message it answers that is known, else the one that begins with the first it
 * names. `known`: the threads of messages that are stored, by their keys. Messages of one batch know each other.
 */
export function threadsOf(mails: readonly Placed[], known: ReadonlyMap<string, string>): Map<string, string> {
  const threads = new Map(known);
  for (const mail of mails) {
    const near = namesOfThread(mail).find((name) => threads.has(name));
    const thread = (near && threads.get(near)) ?? threadOf(mail.references[0] ?? mail.inReplyTo ?? mail.key);
    for (const name of [mail.key, ...mail.references]) if (!threads.has(name)) threads.set(name, thread);
  }
  return new Map(mails.map(({ key }) => [key, threads.get(key) as string]));
}
