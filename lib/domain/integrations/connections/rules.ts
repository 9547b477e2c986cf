import { z } from "zod";
import { outOfReach } from "#lib/providers/addresses.ts";
import type { Credentials } from "#lib/providers/provider.ts";
import { providerOf } from "#lib/providers/registry.ts";
import type { ProviderFault } from "#lib/providers/request.ts";
import { DAY_MS, formatMinute } from "#lib/text/time.ts";
import type { Provider } from "./contract.ts";
import { ENDS_WITHIN_DAYS } from "./words.ts";

/** Sent in a header, so it can hold only characters allowed there. */
const Visible = z.string().regex(/^[\x21-\x7e]+$/);

/** The credentials, trimmed, or what is wrong with them. */
export function readCredentials(provider: Provider, fields: Credentials): { read: Credentials } | { wrong: string } {
  const { credentials, check } = providerOf(provider);
  const { required, optional } = credentials;
  const read = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()]));
  const missing = required.find((name) => !read[name]);
  if (missing) return { wrong: `${missing} is missing` };
  const stray = Object.keys(read).find((name) => !required.includes(name) && !optional.includes(name));
  if (stray) return { wrong: `${stray.slice(0, 50)} is not one of ${[...required, ...optional].join(", ")}` };
  const odd = Object.entries(read).find(
    ([name, value]) => !(optional.includes(name) && value === "") && !Visible.safeParse(value).success,
  );
  if (odd) return { wrong: `${odd[0]} holds characters that no key has` };
  const wrong = check?.(read);
  if (wrong) return { wrong };
  return { read: Object.fromEntries(Object.entries(read).filter(([, value]) => value !== "")) };
}

/**
 * What a failed call means for people, and what they can do. `what`: "The webhook is not registered", for example.
 * `rejected`: what to do when the provider refuses this particular request.
 */
export function adviceOf(provider: Provider, what: string, fault: ProviderFault, rejected?: string): string {
  const todo: Readonly<Record<ProviderFault["trouble"], string>> = {
    refused: "The key was revoked or may not do this: connect again with a new one.",
    rejected: "It may be that it cannot do this for your account.",
    rate_limited: "Rapport waits and tries again automatically.",
    slow: "Rapport tries again automatically.",
    unreachable: `Rapport tries again automatically. If it keeps failing, check the network and ${providerOf(provider).displayName}'s status page.`,
    broken: "Rapport tries again automatically.",
    unreadable: "Rapport tries again automatically.",
  };
  const advice = fault.trouble === "rejected" ? (rejected ?? todo.rejected) : todo[fault.trouble];
  return `${what}: ${fault.message} ${advice}`;
}

/** What is said of credentials that end soon; null when they do not, as far as the provider says. */
export function endingMessage(provider: Provider, endsAt: Date | null, now = new Date()): string | null {
  if (endsAt === null || endsAt.getTime() > now.getTime() + ENDS_WITHIN_DAYS * DAY_MS) return null;
  const ends = endsAt <= now ? "ended" : "ends";
  return `The token of ${providerOf(provider).displayName} ${ends} on ${formatMinute(endsAt)}: make a new one there, and connect again with it.`;
}

/** Why a provider cannot deliver to this server, and how to change it; null when nothing in the address says so. */
export function addressProblem(provider: Provider, url: string): string | null {
  const { displayName, deliveries } = providerOf(provider);
  const why = deliveries === "none" ? null : outOfReach(url);
  if (why === null) return null;
  const { origin } = new URL(url);
  const reasons = {
    local: "that address leads to this computer only",
    private: "that address is in a private network",
    plain: "providers deliver over https only",
  };
  return `${displayName} cannot deliver to ${origin}: ${reasons[why]}. Ask the person who runs this server to set APP_URL to its public https address (in .env or its environment) and restart it.`;
}

type Words = { reason: string; advice: string };

/** Why a request was turned away (fits behind "because"), and what to do if it came from the provider. */
export function refusalWords(provider: Provider, code: string): Words {
  const { displayName: name, deliveries } = providerOf(provider);
  const wordsByCode: Readonly<Record<string, Words>> = {
    signature_missing: {
      reason: "there is no signature",
      advice: `If ${name} sent them, check that its webhook has a signing secret and that no proxy removes headers.`,
    },
    invalid_signature: {
      reason: "the signature does not match",
      advice:
        deliveries === "registered"
          ? `Register the webhook again to give ${name} the right secret, and check that no proxy changes the body.`
          : `Compare the signing secret here with the one ${name} shows for the webhook, and check that no proxy changes the body.`,
    },
    timestamp_out_of_tolerance: {
      reason: "the signed time is more than 5 minutes away from this server's clock",
      advice: "Check the server's clock, and that nothing holds deliveries back on their way.",
    },
    signing_secret_not_configured: {
      reason: "no signing secret is saved here",
      advice:
        deliveries === "registered"
          ? `Connect ${name}, or delete the webhook there.`
          : `Save the signing secret that ${name} shows for the webhook.`,
    },
    invalid_json: {
      reason: "the body was no JSON object",
      advice: `Have ${name} send its own payload, not a template.`,
    },
    unsupported_media_type: {
      reason: "the body was not JSON in UTF-8",
      advice: `Have ${name} send its own payload, uncompressed.`,
    },
    payload_too_large: {
      reason: "the body was too large",
      advice: `Have ${name} deliver without the transcript.`,
    },
  };
  return wordsByCode[code] ?? { reason: `the answer was ${code}`, advice: "See the delivery log." };
}

type RefusalCount = { provider: Provider; code: string; standing: number; standingSince: Date | null };

/** The deliveries of a provider that were turned away since the last verified one. */
export type TurnedAway = { count: number; since: Date; code: string; mixed: boolean };

/** Null when there were none. Only the most frequent reason is given. */
export function turnedAwayOf(provider: Provider, refusals: readonly RefusalCount[]): TurnedAway | null {
  const standing = refusals.filter((one) => one.provider === provider && one.standing > 0 && one.standingSince);
  const [main] = standing.toSorted((a, b) => b.standing - a.standing);
  if (!main) return null;
  const since = Math.min(...standing.map(({ standingSince }) => standingSince?.getTime() ?? Number.POSITIVE_INFINITY));
  return {
    count: standing.reduce((sum, one) => sum + one.standing, 0),
    since: new Date(since),
    code: main.code,
    mixed: standing.length > 1,
  };
}

/** How many deliveries, since when, why and what to do. It blames no one: anyone can send such requests. */
export function turnedAwayMessage(provider: Provider, turnedAway: TurnedAway | null): string | null {
  if (!turnedAway) return null;
  const { count, since, code, mixed } = turnedAway;
  const { reason, advice } = refusalWords(provider, code);
  const time = formatMinute(since);
  const what =
    count === 1
      ? `1 request to the webhook was turned away on ${time}`
      : `${count.toLocaleString("en")} requests to the webhook were turned away since ${time}`;
  return `${what}, ${mixed ? "mostly " : ""}because ${reason}. ${advice}`;
}
