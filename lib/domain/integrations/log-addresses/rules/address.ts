import { randomBytes } from "node:crypto";
import { uuidOf } from "#lib/core/ids.ts";
import type { Header } from "#lib/text/mail/headers.ts";

/** The operator's mailbox: its address is that of its user. */
export type LogMailbox = {
  server: { host: string; port: number; secure: true };
  login: { user: string; password: string };
  local: string;
  domain: string;
  /** the name by which its server signs what it found about a mail */
  authservId: string;
};

/** The mailbox that settings name; null: none. */
export function logMailboxOf(url: string | undefined, authservId: string | undefined): LogMailbox | null {
  if (url === undefined) return null;
  const { hostname: host, port, username, password } = new URL(url);
  const user = decodeURIComponent(username);
  const [local = "", domain = host] = user.split("@");
  return {
    server: { host, port: port === "" ? 993 : Number(port), secure: true },
    login: { user, password: decodeURIComponent(password) },
    ...{ local: local.toLowerCase(), domain: domain.toLowerCase(), authservId: authservId ?? host },
  };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
const BYTES = 16;
/** 16 bytes, 5 bits a letter */
const LENGTH = 26;

function written(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (let place = 0; place < LENGTH; place++) {
    text = LETTERS[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}

/** Null for what `written` does not write. */
function read(text: string): Buffer | null {
  const bits = [...text].reduce((sum, letter) => (sum << 5n) | BigInt(LETTERS.indexOf(letter)), 0n);
  const hex = bits.toString(16).padStart(2 * BYTES, "0");
  return hex.length === 2 * BYTES ? Buffer.from(hex, "hex") : null;
}

/** A new token: the workspace, by which it is found, and 128 random bits, which no one guesses. */
export const mintToken = (workspaceId: string): string =>
  written(Buffer.from(workspaceId.replaceAll("-", ""), "hex")) + written(randomBytes(BYTES));

/** The workspace that a token names, which may not exist; null for what is no token. */
export function workspaceIn(token: string): string | null {
  const bytes = read(token.slice(0, LENGTH));
  return bytes && uuidOf(bytes);
}

export const addressOf = ({ local, domain }: LogMailbox, token: string): string => `${local}+${token}@${domain}`;

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

const inText = ({ local, domain }: LogMailbox): RegExp =>
  new RegExp(
    `(?<![a-z0-9.+_-])${literally(local)}\\+([a-z2-7]{${2 * LENGTH}})@${literally(domain)}(?![a-z0-9.-])`,
    "i",
  );

/** Where servers note whom a mail was delivered to, which is the only place that names who got it by Bcc. */
const DELIVERED = ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to"];

/** The token that a mail was sent to; null: it names none. What servers noted counts before what the mail says. */
export function tokenIn(headers: readonly Header[], mailbox: LogMailbox): string | null {
  const pattern = inText(mailbox);
  const places: readonly ((header: Header) => boolean)[] = [
    ({ name }) => DELIVERED.includes(name),
    ({ name, value }) => name === "received" && /\sfor\s/i.test(value),
    ({ name }) => ["to", "cc", "bcc"].includes(name),
  ];
  for (const place of places)
    for (const { value } of headers.filter(place)) {
      const token = pattern.exec(value)?.[1];
      if (token) return token.toLowerCase();
    }
  return null;
}

/** Whether an address is one of the mailbox, with any token. */
export function isLogAddress({ local, domain }: LogMailbox, address: string): boolean {
  const known = address.toLowerCase();
  return known === `${local}@${domain}` || (known.startsWith(`${local}+`) && known.endsWith(`@${domain}`));
}
