import { z } from "zod";
import { canSign, standardWebhooks } from "#lib/core/webhook-signatures.ts";
import type { ProviderFault } from "#lib/providers/request.ts";
import { type Integration, type Provider, providers } from "./contract.ts";

type Traits = {
  displayName: string;
  category: Integration["category"];
  /** what it must be given, and may */
  credentials: { required: readonly string[]; optional: readonly string[] };
  /** `registered`: we subscribe through its API. `pasted`: people enter our address there and its secret here. */
  deliveries: "registered" | "pasted" | "none";
};

export const traits: Readonly<Record<Provider, Traits>> = {
  cal_com: {
    displayName: "Cal.com",
    category: "booking",
    credentials: { required: ["api_key"], optional: [] },
    deliveries: "registered",
  },
  fathom: {
    displayName: "Fathom",
    category: "recording",
    credentials: { required: ["signing_secret"], optional: ["api_key"] },
    deliveries: "pasted",
  },
  hubspot: {
    displayName: "HubSpot",
    category: "crm",
    credentials: { required: ["access_token"], optional: [] },
    deliveries: "none",
  },
  attio: {
    displayName: "Attio",
    category: "crm",
    credentials: { required: ["access_token"], optional: [] },
    deliveries: "none",
  },
};

export const isProvider = (text: string): text is Provider => (providers as readonly string[]).includes(text);

export type Credentials = Readonly<Record<string, string>>;

/** Sent in a header, so it can hold nothing a header cannot. */
const Visible = z.string().regex(/^[\x21-\x7e]+$/);

/** The credentials with blanks around them cut off, or what is wrong with them. */
export function readCredentials(provider: Provider, given: Credentials): { read: Credentials } | { wrong: string } {
  const { required, optional } = traits[provider].credentials;
  const read = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.trim()]));
  const missing = required.find((name) => !read[name]);
  if (missing) return { wrong: `${missing} is missing` };
  const stray = Object.keys(read).find((name) => !required.includes(name) && !optional.includes(name));
  if (stray) return { wrong: `${stray.slice(0, 50)} is not one of ${[...required, ...optional].join(", ")}` };
  const odd = Object.entries(read).find(
    ([name, value]) => !(optional.includes(name) && value === "") && !Visible.safeParse(value).success,
  );
  if (odd) return { wrong: `${odd[0]} holds characters that no key has` };
  const secret = read.signing_secret ?? "";
  if (provider === "fathom" && !(secret.startsWith("whsec_") && canSign(standardWebhooks, secret)))
    return { wrong: "signing_secret is whsec_ followed by base64, as the provider shows it" };
  return { read: Object.fromEntries(Object.entries(read).filter(([, value]) => value !== "")) };
}

/**
 * What a failed call means for people, and what they can do. `what`: "The webhook is not registered", say. `rejected`: what
 * to do when the provider refuses this very request.
 */
export function adviceOf(provider: Provider, what: string, fault: ProviderFault, rejected?: string): string {
  const todo: Readonly<Record<ProviderFault["trouble"], string>> = {
    refused: "The key was revoked or may not do this: connect again with a new one.",
    rejected: "It may be that it cannot do this for your account.",
    rate_limited: "Rapport waits and tries again by itself.",
    slow: "Rapport tries again by itself.",
    unreachable: `Rapport tries again by itself; if it stays so, check the network and ${traits[provider].displayName}'s status page.`,
    broken: "Rapport tries again by itself.",
    unreadable: "Rapport tries again by itself.",
  };
  const advice = fault.trouble === "rejected" ? (rejected ?? todo.rejected) : todo[fault.trouble];
  return `${what}: ${fault.message} ${advice}`;
}
