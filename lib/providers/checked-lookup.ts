import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isListed, isPublicAddress } from "./addresses.ts";

/** An address that a stranger chose leads to a machine that strangers must not reach through us. */
export class NotPublic extends Error {
  constructor(why = "Its address is not one of the public internet.") {
    super(why);
    this.name = "NotPublic";
  }
}

export type Permits = (address: string) => boolean;
export type Resolve = (hostname: string, give: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const byDns: Resolve = (hostname, give) => lookup(hostname, { all: true }, give);

/**
 * Resolves a name for the connection itself, so that the address that was checked is the one connected to. Node does not ask
 * it about addresses: those are for `requirePermitted`.
 */
export const checkedLookup =
  (permits: Permits = isPublicAddress, resolve: Resolve = byDns): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, "");
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => permits(address))) return callback(new NotPublic(), "");
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });

/** Throws `NotPublic` for a URL whose host is none of `hosts`, or an address that is not permitted. */
export function requirePermitted(
  { hostname }: URL,
  permits: Permits = isPublicAddress,
  hosts: readonly string[] = [],
): void {
  if (!isListed(hostname, hosts)) throw new NotPublic("Its host is not one that this server may reach.");
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !permits(host)) throw new NotPublic();
}
