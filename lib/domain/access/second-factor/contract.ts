import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { PasskeyAnswer } from "#lib/core/passkeys.ts";

const tag = "Account";

const Code = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .describe("The six digits that the app shows now, or a recovery code. Each works once.");
const RecoveryCodes = z
  .array(z.string())
  .describe("Ten codes for the day the app is lost, shown this once. Each works once, in place of the app's.");

export const confirmIdentity = defineOperation({
  name: "confirmIdentity",
  tag,
  summary: "Confirm that it is you, in this session",
  description:
    "What is far-reaching asks for it when you signed in more than 15 minutes ago (403 `recent_sign_in_required`). Who has a second factor gives a code or a passkey. Without any of these it only says whether that is so.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/confirm" },
  input: z.strictObject({
    password: z.string().max(1_000).optional(),
    code: Code.optional(),
    passkey: PasskeyAnswer.optional().describe("Its answer to a challenge of `beginPasskeyUse`."),
  }),
  output: z.strictObject({ ok: z.literal(true) }),
  errors: [
    ...["recent_sign_in_required", "wrong_password", "wrong_code", "wrong_passkey", "second_factor_missing"],
    "passkeys_not_possible",
  ] as const,
  example: { input: { password: "correct horse battery", code: "123456" } },
});

export const beginSecondFactor = defineOperation({
  name: "beginSecondFactor",
  tag,
  summary: "Make the secret of a second factor, for an app that makes codes",
  description: "It is asked for only once it was confirmed by a code. Beginning again makes another secret.",
  surface: "user",
  scope: "write",
  recent: () => true,
  http: { method: "POST", path: "/api/account/second-factor", status: 201 },
  input: z.strictObject({}),
  output: z.strictObject({
    secret: z.string().describe("To type into an app that cannot scan."),
    uri: z.string().describe("What the QR code says."),
    qr: z.strictObject({ path: z.string().describe("The path of an SVG."), size: z.int() }),
  }),
  errors: ["recent_sign_in_required", "second_factor_exists"],
  secrets: { output: ["secret", "uri", "qr"] },
  example: { input: {} },
});

export const confirmSecondFactor = defineOperation({
  name: "confirmSecondFactor",
  tag,
  summary: "Turn the second factor on by its first code",
  description: "Ends every other session of the account.",
  surface: "user",
  scope: "write",
  recent: () => true,
  http: { method: "POST", path: "/api/account/second-factor/confirm" },
  input: z.strictObject({ code: Code }),
  output: z.strictObject({ recovery_codes: RecoveryCodes, ended_sessions: z.int() }),
  errors: ["recent_sign_in_required", "wrong_code", "second_factor_exists", "second_factor_missing"],
  secrets: { output: ["recovery_codes"] },
  example: { input: { code: "123456" } },
});

export const renewRecoveryCodes = defineOperation({
  name: "renewRecoveryCodes",
  tag,
  summary: "Make ten new recovery codes; those before stop working",
  description: "Takes a code of who has an app; who has passkeys only confirms by one of them.",
  surface: "user",
  scope: "write",
  recent: () => true,
  http: { method: "POST", path: "/api/account/second-factor/recovery-codes" },
  input: z.strictObject({ code: Code.optional() }),
  output: z.strictObject({ recovery_codes: RecoveryCodes }),
  errors: ["recent_sign_in_required", "wrong_code", "second_factor_missing"],
  secrets: { output: ["recovery_codes"] },
  example: { input: { code: "123456" } },
});

export const removeSecondFactor = defineOperation({
  name: "removeSecondFactor",
  tag,
  summary: "Remove the app that makes codes",
  description:
    "Takes a code, so that a password alone does not remove what protects it. Recovery codes go with the last second factor.",
  surface: "user",
  scope: "write",
  recent: () => true,
  http: { method: "POST", path: "/api/account/second-factor/remove" },
  input: z.strictObject({ code: Code }),
  output: z.strictObject({ ok: z.literal(true) }),
  errors: ["recent_sign_in_required", "wrong_code", "second_factor_missing", "second_factor_demanded"],
  example: { input: { code: "123456" } },
});
