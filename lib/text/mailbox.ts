import { domainToASCII } from "node:url";
import { parse as parseHost } from "tldts";
import { remembered } from "./remembered.ts";

// Dot-atom local part and a host with a public suffix: what mail servers accept in practice (RFC 5321 without quoting).
const EMAIL = /^([a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64})@([\p{L}\p{N}\p{M}.-]+)$/u;

/** Trimmed, lower-cased and syntax-checked, the host in ASCII (punycode); null when it is not an e-mail address. */
export function normaliseEmail(text: string): string | null {
  const [, local = "", at = ""] = EMAIL.exec(text.trim().toLowerCase()) ?? [];
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return null;
  const host = normaliseHost(at);
  return host === null || local.length + 1 + host.length > 254 ? null : `${local}@${host}`;
}

/** What is behind the @ of an address. */
export const hostOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

const HOST = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]+$/;

/** Reserved for documentation and tests (RFC 2606): what providers' samples and test deliveries are addressed to. */
const RESERVED = /\.(example|test)$/;

/** A host name in its one form, or null when it has no registrable part under a public suffix (an address, `co.uk`). */
export const normaliseHost = remembered((text) => {
  const host = domainToASCII(text.replace(/\.$/, ""));
  if (!HOST.test(host)) return null;
  const { domain, isIcann, isPrivate } = parseHost(host, { allowPrivateDomains: true });
  return domain && (isIcann || isPrivate || RESERVED.test(host)) ? host : null;
});
