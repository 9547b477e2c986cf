import type { Env } from "#lib/settings/env.ts";
import type { SigningScheme } from "#lib/settings/webhook-signatures.ts";
import type { CrmAdapter } from "./crm.ts";
import type { Json } from "./fields.ts";
import type { News } from "./news.ts";

/** What people give to connect, by the names of the fields. */
export type Credentials = Readonly<Record<string, string>>;

/** The address of a provider's API. `configured`: the operator set it, so it may be a private one. */
export type Address = { base: string; configured: boolean };

/** The part of an outside system that credentials open (HubSpot's portal, Attio's workspace), as far as the provider says. */
export type Portal = {
  /** the provider's id of it */
  id: string | null;
  /** in words */
  name: string | null;
  /** its own e-mail addresses: hosts of meetings, never contacts */
  ownAddresses: readonly string[];
  /** when the credentials end, where the provider says so */
  endsAt?: Date | null;
};

/** The subscription that makes a provider deliver to us. */
type Subscriptions = {
  /**
   * Makes it deliver to `url`, signed with `secret`; `known` is the id of the subscription we had. Returns its id. Calling
   * it twice, or at once from two places, has the same result.
   */
  subscribe(
    address: Address,
    credentials: Credentials,
    wanted: { url: string; secret: string },
    known: string | null,
  ): Promise<string>;
  /** Ends one; a missing one is fine. */
  unsubscribe(address: Address, credentials: Credentials, id: string): Promise<void>;
  /** Ids of those that deliver to `url`. */
  find(address: Address, credentials: Credentials, url: string): Promise<string[]>;
};

/** How a provider's deliveries are signed, and what they say. */
export type Inbound = {
  scheme: SigningScheme;
  /** the setting with a signing secret for workspaces that saved none */
  serverSecret?: Extract<keyof Env, `${string}_WEBHOOK_SECRET`>;
  /** what the provider calls the event; null when it has only one kind */
  eventOf(payload: Json): string | null;
  /** Reads a payload without trusting it: any JSON is possible. */
  read(payload: Json, receivedAt: Date): News;
  /** A delivery about no one, for testing the inbox. */
  sample(at: Date): Json;
};

/**
 * How deliveries come. `registered`: we subscribe through the API. `pasted`: people enter our address there and its secret
 * here.
 */
type Delivering =
  | { deliveries: "registered"; subscriptions: Subscriptions; inbound: Inbound }
  | { deliveries: "pasted"; inbound: Inbound }
  | { deliveries: "none" };

/** The whole description of an outside system. `lib/providers/README.md` says how to write one. */
export type Provider = {
  /** its name for people */
  displayName: string;
  category: "booking" | "recording" | "crm";
  /** the setting with the base URL of its API, or the URL itself where there is only one */
  address: Extract<keyof Env, `${string}_API_URL`> | `https://${string}`;
  /** the fields it requires, and those it accepts */
  credentials: { required: readonly string[]; optional: readonly string[] };
  /** What is wrong with the credentials beyond a missing field; null when nothing is. */
  check?(credentials: Credentials): string | null;
  /** Asks which portal the credentials open. Throws `ProviderFault`; its trouble is `refused` when they are not valid. */
  ask(address: Address, credentials: Credentials): Promise<Portal>;
  /** of category `crm` */
  crm?: CrmAdapter;
} & Delivering;
