/** Where the mailbox of an address is read. Only the resolver is asked, no mail server. */
import { Resolver } from "node:dns/promises";
import { normaliseEmail } from "#lib/text/mailbox.ts";
import type { MailServer } from "./client.ts";

const tls = (host: string): MailServer => ({ host, port: 993, secure: true });

/** Providers by the domains of their addresses. */
const BY_DOMAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "imap.gmail.com": "gmail.com googlemail.com",
    "outlook.office365.com":
      "outlook.com outlook.de outlook.fr hotmail.com hotmail.de hotmail.fr hotmail.co.uk live.com msn.com",
    "imap.mail.me.com": "icloud.com me.com mac.com",
    "imap.mail.yahoo.com": "yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.co.uk ymail.com rocketmail.com",
    "imap.aol.com": "aol.com aim.com verizon.net",
    "imap.gmx.net": "gmx.net gmx.de gmx.at gmx.ch",
    "imap.gmx.com": "gmx.com gmx.us gmx.co.uk gmx.fr",
    "imap.web.de": "web.de",
    "imap.mail.com": "mail.com email.com",
    "secureimap.t-online.de": "t-online.de magenta.de",
    "mx.freenet.de": "freenet.de",
    "imap.ionos.de": "online.de onlinehome.de",
    "posteo.de": "posteo.de posteo.net posteo.org",
    "imap.mailbox.org": "mailbox.org",
    "imap.fastmail.com": "fastmail.com fastmail.fm fastmail.de",
    "imap.zoho.com": "zoho.com zohomail.com",
    "imap.zoho.eu": "zoho.eu zohomail.eu",
    "imap.yandex.com": "yandex.com yandex.ru ya.ru yandex.by yandex.kz",
    "imap.mail.ru": "mail.ru bk.ru inbox.ru list.ru internet.ru",
    "imap.orange.fr": "orange.fr wanadoo.fr",
    "imap.free.fr": "free.fr",
    "imap.laposte.net": "laposte.net",
    "imap.sfr.fr": "sfr.fr neuf.fr",
    "imapmail.libero.it": "libero.it",
    "imap.tiscali.it": "tiscali.it",
    "imap.seznam.cz": "seznam.cz email.cz",
    "imap.wp.pl": "wp.pl",
    "poczta.o2.pl": "o2.pl",
    "imap.poczta.onet.pl": "onet.pl onet.eu",
    "imaps.bluewin.ch": "bluewin.ch",
    "imap.ziggo.nl": "ziggo.nl",
    "imap.kpnmail.nl": "kpnmail.nl",
    "imap.comcast.net": "comcast.net",
    "imap.mail.att.net": "att.net sbcglobal.net bellsouth.net",
    "imap.qq.com": "qq.com foxmail.com",
    "imap.163.com": "163.com",
    "imap.126.com": "126.com",
    "imap.naver.com": "naver.com",
  }).flatMap(([host, domains]) => domains.split(" ").map((domain) => [domain, host] as const)),
);

/** Providers that take the mail of their customers' own domains, by the ends of their MX records. */
const BY_MX: readonly (readonly [end: string, host: string])[] = [
  ["google.com", "imap.gmail.com"],
  ["googlemail.com", "imap.gmail.com"],
  ["mail.protection.outlook.com", "outlook.office365.com"],
  ["mx.microsoft", "outlook.office365.com"],
  ["mail.icloud.com", "imap.mail.me.com"],
  ["messagingengine.com", "imap.fastmail.com"],
  ["zoho.eu", "imap.zoho.eu"],
  ["zoho.com", "imap.zoho.com"],
  ["mailbox.org", "imap.mailbox.org"],
  ["kundenserver.de", "imap.ionos.de"],
  ["ionos.com", "imap.ionos.com"],
  ["ionos.co.uk", "imap.ionos.co.uk"],
  ["yandex.net", "imap.yandex.com"],
  ["mail.ru", "imap.mail.ru"],
  ["mail.ovh.net", "ssl0.ovh.net"],
  ["mail.gandi.net", "mail.gandi.net"],
  ["hostinger.com", "imap.hostinger.com"],
  ["titan.email", "imap.titan.email"],
  ["migadu.com", "imap.migadu.com"],
  ["infomaniak.ch", "mail.infomaniak.com"],
  ["emailsrvr.com", "secure.emailsrvr.com"],
  ["secureserver.net", "imap.secureserver.net"],
];

/** For all questions together: a page waits for the answer. */
const TIMEOUT_MS = 5_000;

/**
 * The server of a mailbox: from a table of the usual providers, from what its domain says by SRV records (RFC 6186), from who
 * takes its mail. Null when none of them says it. `servers` are those of the resolver; unset: the machine's.
 */
export async function findMailServer(address: string, servers?: readonly string[]): Promise<MailServer | null> {
  const domain = normaliseEmail(address)?.split("@")[1];
  if (domain === undefined) return null;
  const usual = BY_DOMAIN.get(domain);
  if (usual !== undefined) return tls(usual);
  const resolver = new Resolver({ timeout: TIMEOUT_MS / 2, tries: 1 });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    const [secure, upgraded, exchanges] = await Promise.all([
      resolver.resolveSrv(`_imaps._tcp.${domain}`).catch(none),
      resolver.resolveSrv(`_imap._tcp.${domain}`).catch(none),
      resolver.resolveMx(domain).catch(none),
    ]);
    const service = firstOf(secure, true) ?? firstOf(upgraded, false);
    if (service) return service;
    const [exchange] = exchanges.toSorted((one, other) => one.priority - other.priority);
    const name = `.${nameOf(exchange?.exchange ?? "")}`;
    const host = BY_MX.find(([end]) => name.endsWith(`.${end}`))?.[1];
    return host === undefined ? null : tls(host);
  } finally {
    clearTimeout(timer);
  }
}

/** No records, or no answer: the same to someone who then types the server. */
const none = (): never[] => [];

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "");

type Service = { name: string; port: number; priority: number; weight: number };

/** The preferred one. A name that is only a dot says that there is no such service. */
function firstOf(services: readonly Service[], secure: boolean): MailServer | null {
  const [first] = services
    .filter(({ name, port }) => nameOf(name) !== "" && port > 0)
    .toSorted((one, other) => one.priority - other.priority || other.weight - one.weight);
  return first ? { host: nameOf(first.name), port: first.port, secure } : null;
}
