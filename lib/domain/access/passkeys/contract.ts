import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { NewPasskey } from "#lib/core/passkeys.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

const tag = "Account";

export const Passkey = z.strictObject({
  id: Id,
  name: z.string(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});
export type Passkey = z.output<typeof Passkey>;

const PasskeyName = z.string().trim().min(1).max(60).describe("What you call it: where it is kept.");

/** What `navigator.credentials` takes, as JSON. */
const Options = z.record(z.string(), z.unknown());

export const beginPasskey = defineOperation({
  name: "beginPasskey",
  tag,
  summary: "Ask for what the browser makes a new passkey from",
  surface: "user",
  scope: "write",
  recent: () => true,
  http: { method: "POST", path: "/api/account/passkeys/new" },
  input: z.strictObject({}),
  output: z.strictObject({ options: Options.describe("`PublicKeyCredentialCreationOptionsJSON`; for five minutes.") }),
  errors: ["recent_sign_in_required", "passkeys_not_possible"],
  example: { input: {} },
});

export const addPasskey = defineOperation({
  name: "addPasskey",
  tag,
  summary: "Keep a passkey that the browser made",
  description:
    "It signs in alone, and is a second factor after the password. The first second factor gives ten recovery codes and ends every other session.",
  surface: "user",
  scope: "write",
  recent: () => true,
  http: { method: "POST", path: "/api/account/passkeys", status: 201 },
  input: z.strictObject({
    name: PasskeyName,
    passkey: NewPasskey,
  }),
  output: z.strictObject({
    passkey: Passkey,
    recovery_codes: z.array(z.string()).nullable().describe("Null where there are some already."),
    ended_sessions: z.int(),
  }),
  errors: [
    ...["recent_sign_in_required", "wrong_passkey", "passkey_exists"],
    ...["too_many_passkeys", "passkeys_not_possible"],
  ] as const,
  secrets: { output: ["recovery_codes"] },
  example: {
    input: {
      name: "MacBook",
      passkey: { id: "AAAA", client_data: "e30", attestation: "oA" },
    },
  },
});

export const renamePasskey = defineOperation({
  name: "renamePasskey",
  tag,
  summary: "Give a passkey another name",
  surface: "user",
  scope: "write",
  http: { method: "PATCH", path: "/api/account/passkeys/:id" },
  input: z.strictObject({ id: Id, name: PasskeyName }),
  output: z.strictObject({ passkey: Passkey }),
  errors: ["passkey_not_found"],
  codes: { fields: { id: "passkey_not_found" } },
  example: { input: { id: "0190a6e0-0000-7000-8000-000000000001", name: "Work laptop" } },
});

export const removePasskey = defineOperation({
  name: "removePasskey",
  tag,
  summary: "Remove a passkey",
  description: "Recovery codes go with the last second factor.",
  surface: "user",
  scope: "write",
  recent: () => true,
  http: { method: "DELETE", path: "/api/account/passkeys/:id" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ ok: z.literal(true) }),
  errors: ["recent_sign_in_required", "passkey_not_found", "second_factor_demanded"],
  codes: { fields: { id: "passkey_not_found" } },
  example: { input: { id: "0190a6e0-0000-7000-8000-000000000001" } },
});

export const beginPasskeyUse = defineOperation({
  name: "beginPasskeyUse",
  tag,
  summary: "Ask for a challenge that a passkey answers",
  description: "It counts once, for five minutes.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/passkeys/challenge" },
  input: z.strictObject({
    signs_in: z
      .boolean()
      .default(false)
      .describe(
        "True: to sign in, also when someone is signed in already. False: to confirm that it is you, in this session.",
      ),
  }),
  output: z.strictObject({ options: Options.describe("`PublicKeyCredentialRequestOptionsJSON`") }),
  errors: ["passkeys_not_possible"],
  example: { input: {} },
});
