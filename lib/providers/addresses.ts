import ipaddr from "ipaddr.js";

/** The addresses of the IPv6 internet (IANA, Global Unicast). Others may be an IPv4 address in a form of its own. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** True for an IP address of the public internet: not private, loopback, link-local (cloud metadata), or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // reads an IPv4 address inside an IPv6 one
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6));
}

/** Whether a host is one of these names, of which `*.example.com` stands for those below it; none stand for all. */
export const isListed = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.length === 0 ||
  hosts.some((each) => (each.startsWith("*.") ? hostname.endsWith(each.slice(1)) : hostname === each));

/** Names that the DNS of the internet never has (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const OWN_NETWORK = /(^|\.)(local|localdomain|internal|intranet|lan|home\.arpa|test|invalid)$/;

/**
 * Why a system on the internet cannot deliver to a URL, as far as its text says. `local`: it leads to the machine that
 * asks; `private`: into a private network; `plain`: it is not https.
 */
export function outOfReach(url: string): "local" | "private" | "plain" | null {
  const { protocol, hostname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(name)) {
    const range = ipaddr.process(name).range();
    if (range === "loopback" || range === "unspecified") return "local";
    if (!isPublicAddress(name)) return "private";
  } else if (name === "localhost" || name.endsWith(".localhost")) return "local";
  else if (!name.includes(".") || OWN_NETWORK.test(name)) return "private";
  return protocol === "https:" ? null : "plain";
}
