/** Whether a mail is from whom it says, by the words of the server that received it (RFC 8601). */
import type { Header } from "./headers.ts";

type Result = { method: string; result: string; properties: ReadonlyMap<string, string> };

/**
 * True when the receiving server says that the mail is from the domain of `from`: by DMARC, or by SPF or DKIM of that domain. Only the
 * topmost header with its name counts: it puts its own above those that the mail came with. The sender's words count for nothing.
 */
export function isAuthentic(headers: readonly Header[], { server, from }: { server: string; from: string }): boolean {
  const domain = domainOf(from);
  const own = headers
    .filter(({ name }) => name === "authentication-results")
    .map(({ value }) => partsOf(value))
    .find(([id = ""]) => id.split(/\s/, 1)[0]?.toLowerCase() === server.toLowerCase());
  const results = (own ?? []).slice(1).flatMap((part) => resultIn(part) ?? []);
  const of = (method: string, result: string) =>
    results.filter((one) => one.method === method && one.result === result);
  const isAbout = (one: Result) => domainOf(one.properties.get("header.from") ?? domain) === domain;
  if (of("dmarc", "fail").some(isAbout)) return false;
  return (
    of("dmarc", "pass").some(isAbout) ||
    of("dkim", "pass").some(({ properties }) =>
      isAligned(properties.get("header.d") ?? properties.get("header.i") ?? "", domain),
    ) ||
    of("spf", "pass").some(({ properties }) => isAligned(properties.get("smtp.mailfrom") ?? "", domain))
  );
}

const domainOf = (address: string): string =>
  address
    .slice(address.lastIndexOf("@") + 1)
    .toLowerCase()
    .replace(/\.$/, "");

/** The same domain, or one that it belongs to. A name below it may be anyone's. */
function isAligned(by: string, domain: string): boolean {
  const signed = domainOf(by);
  return signed.includes(".") && (domain === signed || domain.endsWith(`.${signed}`));
}

/** What stands between semicolons, without comments. */
function partsOf(value: string): string[] {
  const parts = [""];
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < value.length; at++) {
    const character = value[at] as string;
    if (character === "\\") {
      if (depth === 0) parts[parts.length - 1] += value[at + 1] ?? "";
      at++;
    } else if (character === '"' && depth === 0) quoted = !quoted;
    else if (character === "(" && !quoted) depth++;
    else if (character === ")" && !quoted) depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (character === ";" && !quoted) parts.push("");
    else parts[parts.length - 1] += quoted && /\s/.test(character) ? "_" : character; // one word, whatever it says
  }
  return parts.map((part) => part.trim());
}

/** `dkim=pass header.d=acme.example`. */
function resultIn(part: string): Result | null {
  const [, method = "", result = "", rest = ""] =
    /^([a-z0-9-]+)(?:\s*\/\s*\d+)?\s*=\s*([a-z]+)(.*)$/is.exec(part) ?? [];
  if (method === "") return null;
  const properties = [...rest.matchAll(/(?<=\s)([a-z]+\.[a-z0-9_-]+)\s*=\s*(\S+)/gi)].map(
    ([, name = "", value = ""]) => [name.toLowerCase(), value] as const,
  );
  // The first of a name counts: what follows may be made of words of the sender.
  return { method: method.toLowerCase(), result: result.toLowerCase(), properties: new Map(properties.toReversed()) };
}
