import ipaddr from "ipaddr.js";

/** True for an IP address of the public internet: not private, loopback, link-local (cloud metadata), or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === "unicast"; // process() reads an IPv4 address inside an IPv6 one
}

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
    if (range !== "unicast") return "private";
  } else if (name === "localhost" || name.endsWith(".localhost")) return "local";
  else if (!name.includes(".") || OWN_NETWORK.test(name)) return "private";
  return protocol === "https:" ? null : "plain";
}
