import { isIP } from "node:net";
import { isPublicAddress } from "#lib/providers/addresses.ts";

const LOCAL = /(^|\.)(localhost|local|internal|home\.arpa)$/i;

/** Why events cannot be sent to a URL; null when they can, as far as one can tell without asking the DNS. */
export function wrongWith(url: string, privateAllowed: boolean): string | null {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return "it is not an http or https URL";
  if (parsed.username !== "" || parsed.password !== "") return "it holds a user or password";
  if (privateAllowed) return null;
  const host = parsed.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isPrivate = isIP(host) ? !isPublicAddress(host) : LOCAL.test(host) || !host.includes(".");
  return isPrivate ? "it is not an address of the public internet" : null;
}
