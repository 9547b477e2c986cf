import freeMailDomains from "email-providers/all.json" with { type: "json" };
import { parse as parseHost } from "tldts";
import { isUuid } from "#lib/core/ids.ts";
import { fold } from "#lib/text/fold.ts";
import { hostOf, normaliseEmail, normaliseHost } from "#lib/text/mailbox.ts";
import { remembered } from "#lib/text/remembered.ts";

export { normaliseEmail } from "#lib/text/mailbox.ts";

/** `name`: of a company that an import created by its name alone. Callers neither send nor see it. */
export type IdentifierKind = "email" | "linkedin_url" | "domain" | "name";

/** The ways a caller can name an entity. */
export type Focus = { kind: "workspace" } | Sought;
/** What is looked up, and may not be there. */
export type Sought = { kind: "id"; value: string } | { kind: IdentifierKind; value: string };

const LINKEDIN =
  /^(?:https?:\/\/)?(?:[a-z]{1,3}\.)?linkedin\.com(?::\d{1,5})?\/(in|company)\/([^/?#\s]+)(?:[/?#]\S*)?$/i;

/** An entity and those merged into it, whose evidence all counts. */
export const evidenceIds = ({ id, absorbed }: { id: string; absorbed: readonly string[] }): string[] => [
  id,
  ...absorbed,
];

/** Canonical `https://www.linkedin.com/in/<slug>` or `/company/<slug>`; null for anything else, opaque member URNs included. */
export function normaliseLinkedinUrl(text: string): string | null {
  const [, kind = "", name = ""] = LINKEDIN.exec(text.trim()) ?? [];
  let slug: string;
  try {
    slug = decodeURIComponent(name).toLowerCase().normalize("NFC");
  } catch {
    return null;
  }
  if (/^ac[ow]aa/.test(slug) || !/^[\p{L}\p{N}\p{M}_.&'-]{2,120}$/u.test(slug)) return null;
  return `https://www.linkedin.com/${kind.toLowerCase()}/${encodeURIComponent(slug)}`;
}

/** The host of a domain or URL: ASCII (punycode), lower-case, `www.` dropped, with a public suffix; null otherwise. */
export function normaliseDomain(text: string): string | null {
  const trimmed = text.trim();
  if (/[\s@]/.test(trimmed)) return null;
  return withoutWww(normaliseHost(parseHost(trimmed, { validateHostname: false }).hostname ?? ""));
}

/** Drops every leading `www.` that something registrable follows. */
function withoutWww(host: string | null): string | null {
  const rest = host?.startsWith("www.") ? normaliseHost(host.slice(4)) : null;
  return rest === null ? host : withoutWww(rest);
}

/** What is written in place of a company by people who work for none. */
const NO_COMPANY: ReadonlySet<string> = new Set(
  "self-employed|self employed|selfemployed|selbststandig|selbstandig|freiberuflich|freelance|freelancer|independent|individual|private|privat|none|student|retired|unemployed|stealth|stealth startup|stealth mode".split(
    "|",
  ),
);

/** The name of a company as an identifier: the legal form counts, case, accents and spaces do not. Null when it names none. */
export function normaliseCompanyName(text: string): string | null {
  const name = fold(text);
  return /[\p{L}\p{N}]/u.test(name) && name.length <= 300 && !NO_COMPANY.has(name) ? name : null;
}

/** Reads a focus in the order id, e-mail, LinkedIn URL, domain. Null for anything else, a bare name included. */
export function parseFocus(text: string): Focus | null {
  const focus = text.trim();
  if (focus === "workspace") return { kind: "workspace" };
  if (isUuid(focus)) return { kind: "id", value: focus.toLowerCase() };
  if (focus.includes("@")) return wrap("email", normaliseEmail(focus));
  return (
    wrap("linkedin_url", normaliseLinkedinUrl(focus)) ??
    (/linkedin\.com\//i.test(focus) ? null : wrap("domain", companyDomain(focus)))
  );
}

/** As `normaliseDomain`; null for the domain of a free mailbox provider too, which names no company. */
export function companyDomain(text: string): string | null {
  const domain = normaliseDomain(text);
  return domain === null || isFreeMail(domain) ? null : domain;
}

const wrap = (kind: IdentifierKind, value: string | null): Focus | null => (value === null ? null : { kind, value });

/** What kind of entity an identifier names. */
export const typeNamedBy = (kind: IdentifierKind, value: string): "person" | "company" =>
  kind === "domain" || kind === "name" || (kind === "linkedin_url" && value.includes("/company/"))
    ? "company"
    : "person";

const kindNames = {
  id: "id",
  email: "e-mail address",
  linkedin_url: "LinkedIn URL",
  domain: "domain",
  name: "name",
} as const;

/** Says what was searched when nothing was found. It holds no value, so that all answers to one kind of focus are equal. */
export function notFoundMessage({ kind, value }: Sought): string {
  const what = kind === "id" ? "person or company" : typeNamedBy(kind, value);
  return `No ${what} in this workspace has that ${kindNames[kind]}.`;
}

const freeMail: ReadonlySet<string> = new Set(freeMailDomains);

/** True for a host at which anyone can have a mailbox (list: the package email-providers). */
export const isFreeMail = (host: string): boolean => freeMail.has(host);

/**
 * The domain of the company a business e-mail address belongs to: the registrable part of its host. Null for the hosts
 * of free mailbox providers, which never name a company.
 */
export const companyDomainOf = (email: string): string | null => companyOfHost(hostOf(email));

/** An identifier as one text: the key of maps and sets, and the name of its lock. */
export const identifierKey = ({ kind, value }: { kind: string; value: string }): string => `${kind} ${value}`;

/** These identifiers, and the domains of the companies that their addresses belong to. */
export const withEmployers = <N extends { kind: IdentifierKind; value: string }>(named: readonly N[]) => [
  ...named,
  ...named.flatMap(({ kind, value }) => {
    const domain = kind === "email" ? companyDomainOf(value) : null;
    return domain === null ? [] : [{ kind: "domain", value: domain } as const];
  }),
];

/** Writing a person asks several times. */
const companyOfHost = remembered((host) => {
  const { domain } = parseHost(host, { allowPrivateDomains: true });
  return domain === null || isFreeMail(host) || isFreeMail(domain) ? null : domain;
});
