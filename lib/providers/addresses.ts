import ipaddr from "ipaddr.js";

/** True for an IP address of the public internet: not private, loopback, link-local (cloud metadata), or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === "unicast"; // process() reads an IPv4 address inside an IPv6 one
}
