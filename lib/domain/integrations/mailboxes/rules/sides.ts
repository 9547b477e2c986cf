import { companyDomain } from "#lib/domain/records/entities/service.ts";
import type { Sides } from "./judge.ts";

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/** Whose mail it is: the addresses of members and mailboxes are the company's own, and so are their domains but those of mail providers. */
export function sidesOf(addresses: readonly string[], blocked: readonly string[]): Sides {
  const own = new Set(addresses.map((address) => address.toLowerCase()));
  const domains = [...own].flatMap((address) => companyDomain(domainOf(address)) ?? []);
  return { own, ownDomains: new Set(domains), blocked: new Set(blocked) };
}
