import type { MessageType } from "#lib/domain/knowledge/messages/words.ts";
import { companyDomain } from "#lib/domain/records/entities/service.ts";
import type { ParsedMail } from "#lib/text/mail/parse.ts";
import { hostOf } from "#lib/text/mailbox.ts";
import type { MailOutcome } from "../words.ts";

/** A message as far as it decides what is done with it. */
export type Judged = Pick<ParsedMail, "kind" | "from" | "to" | "cc" | "bcc" | "bounced">;

/** Whose mail it is. All addresses and domains are in lower case. */
export type Sides = {
  /** addresses of members and of their mailboxes */
  own: ReadonlySet<string>;
  /** domains that are the company's own, none of a mail provider */
  ownDomains: ReadonlySet<string>;
  /** addresses and domains that the member never wants stored */
  blocked: ReadonlySet<string>;
};

/** The addresses of members and mailboxes are the company's own, and so are their domains but those of mail providers. */
export function sidesOf(addresses: readonly string[], blocked: readonly string[]): Sides {
  const own = new Set(addresses.map((address) => address.toLowerCase()));
  const domains = [...own].flatMap((address) => companyDomain(hostOf(address)) ?? []);
  return { own, ownDomains: new Set(domains), blocked: new Set(blocked) };
}

/** Someone outside, and what the message is to them. */
type Party = { address: string; name: string | null; type: MessageType };

/** `quiet`: it is no activity, moves nothing and adds no one; it is kept for the contacts that are known. */
export type Judgement =
  | { outcome: Exclude<MailOutcome, "kept" | "no_contact" | "unreadable"> }
  | { outcome: "kept"; parties: readonly Party[]; quiet: boolean };

/**
 * Decides what a message is: to whom outside, from whom, or neither. Automatic replies and messages to a group are quiet (RFC 3834;
 * RFC 2369). Who is blocked is never stored, whoever else is on the message.
 */
export function judge(mail: Judged, sides: Sides): Judgement {
  const { from, to, cc, bcc, kind, bounced } = mail;
  const everyone = [...(from ? [from] : []), ...to, ...cc, ...bcc].map(lower);
  if (
    [...everyone.map(({ address }) => address), ...bounced.map(({ address }) => address.toLowerCase())].some(
      isIn(sides.blocked),
    )
  )
    return { outcome: "blocked" };
  if (kind === "bounce") {
    const parties = outside(
      bounced.filter(({ permanent }) => permanent).map(({ address }) => ({ address, name: null })),
      sides,
    );
    return parties.length === 0 ? { outcome: "internal" } : kept(parties, "email_bounced", false);
  }
  if (!from) return { outcome: "internal" };
  const quiet = kind !== "person" && kind !== "calendar";
  if (!isOwn(from.address, sides)) return kept([lower(from)], "email_received", quiet);
  const parties = outside([...to, ...cc, ...bcc], sides);
  return parties.length === 0 ? { outcome: "internal" } : kept(parties, "email_sent", quiet);
}

type Address = { address: string; name: string | null };

const lower = ({ address, name }: Address): Address => ({ address: address.toLowerCase(), name });

const kept = (parties: readonly Address[], type: Party["type"], quiet: boolean): Judgement => ({
  outcome: "kept",
  parties: parties.map((party) => ({ ...party, type })),
  quiet,
});

/** Whether an address, or its domain or one above it, is in a list. */
export const isIn =
  (list: ReadonlySet<string>) =>
  (address: string): boolean => {
    if (list.has(address)) return true;
    const parts = hostOf(address).split(".");
    return parts.some((_, index) => list.has(parts.slice(index).join(".")));
  };

export const isOwn = (address: string, { own, ownDomains }: Sides): boolean => {
  const known = address.toLowerCase();
  return own.has(known) || isIn(ownDomains)(known);
};

/** Those of some addresses that are not the company's own, each once. */
function outside(addresses: readonly Address[], sides: Sides): Address[] {
  const parties = addresses.map(lower).filter(({ address }) => !isOwn(address, sides));
  return [...new Map(parties.map((party) => [party.address, party])).values()];
}
