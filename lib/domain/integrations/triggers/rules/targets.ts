import { isListed, outOfReach } from "#lib/providers/addresses.ts";
import type { Terms } from "#lib/providers/webhook-target/post.ts";

export type TargetTerms = Pick<Terms, "privateAllowed" | "hosts" | "encrypted">;

/** Why events cannot be sent to a URL; null when they can, as far as one can tell without asking the DNS. */
export function wrongWith(url: string, { privateAllowed, hosts = [], encrypted = false }: TargetTerms): string | null {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return "it is not an http or https URL";
  if (parsed.username !== "" || parsed.password !== "") return "it holds a user or password";
  if (encrypted && parsed.protocol !== "https:") return "it is not an https URL, which this server demands";
  if (!isListed(parsed.hostname, hosts)) return "its host is not one that this server may reach";
  const isPrivate = !privateAllowed && ["local", "private"].includes(outOfReach(url) ?? "");
  return isPrivate ? "it is not an address of the public internet" : null;
}
