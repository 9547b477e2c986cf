import ipaddr from "ipaddr.js";

/**
 * The canonical form of an address or range: "10.0.0.7" is "10.0.0.7/32", "10.1.2.3/8" is "10.0.0.0/8", and an
 * IPv4-mapped IPv6 range becomes its IPv4 range. Null for anything else.
 */
export function parseCidr(text: string): string | null {
  const [address = "", bits, ...rest] = text.trim().split("/");
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(address))
    return canonical("ipv4", address, bits === undefined ? 32 : Number(bits));
  if (!ipaddr.IPv6.isValid(address) || address.includes("%")) return null;
  const length = bits === undefined ? 128 : Number(bits);
  const parsed = ipaddr.IPv6.parse(address);
  if (!parsed.isIPv4MappedAddress() || length < 96) return canonical("ipv6", parsed.toString(), length);
  return canonical("ipv4", parsed.toIPv4Address().toString(), length - 96);
}

function canonical(kind: "ipv4" | "ipv6", address: string, bits: number): string | null {
  if (bits > (kind === "ipv4" ? 32 : 128)) return null;
  const family = kind === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** True when the address is in one of the ranges. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isAllowed(ip: string, cidrs: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return cidrs.some((cidr) => {
    const [range, bits] = ipaddr.parseCIDR(cidr);
    return range.kind() === address.kind() && address.match(range, bits);
  });
}
