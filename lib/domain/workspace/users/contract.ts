import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { EmailAddress, Id, Timestamp } from "#lib/core/schema.ts";
import { Passkey } from "#lib/domain/access/passkeys/contract.ts";

const tag = "Account";
const Token = z.string().max(200);
/** Checked by the service, which says which way it is wrong. */
const NewPassword = z
  .string()
  .describe("12 to 200 characters of any kind. Well-known passwords, and such with your own words, are refused.");
const exampleToken = "••••••••••••••••••••••••••••••••";
const passwordErrors = ["password_too_short", "password_too_long", "password_too_common"] as const;

export const signUp = defineOperation({
  name: "signUp",
  tag,
  summary: "Create an account, with a workspace of its own or by an invitation",
  description:
    "Open to the first person on the server, to everyone where SIGNUPS=open, and to who holds an invitation link; the answer to others is 403 `signups_closed`.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/sign-up", status: 201 },
  input: z.strictObject({
    name: z.string().trim().max(100).optional(),
    email: EmailAddress,
    password: NewPassword,
    workspace_name: z.string().trim().max(100).optional().describe("Required unless there is an invitation."),
    website: z
      .string()
      .trim()
      .max(200)
      .optional()
      .describe("The domain of the e-mail address when absent, unless many companies share it."),
    invitation: Token.optional().describe("The last part of an invitation link."),
  }),
  output: z.strictObject({ user_id: Id, workspace_id: Id }),
  errors: [
    "signups_closed",
    "email_taken",
    "invalid_email",
    ...passwordErrors,
    "name_required",
    "invalid_website",
    "invitation_not_found",
  ],
  codes: { fields: { email: "invalid_email" } },
  example: {
    input: {
      email: "ada@acme.example",
      password: "correct horse battery",
      workspace_name: "Acme",
      website: "acme.com",
    },
  },
});

export const requestPasswordReset = defineOperation({
  name: "requestPasswordReset",
  tag,
  summary: "Ask for a link to choose a new password",
  description:
    "The answer is the same whether there is such an account or not. `mailed` says only whether this server can send mail.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/password/forgot" },
  input: z.strictObject({ email: EmailAddress }),
  output: z.strictObject({ mailed: z.boolean() }),
  errors: ["invalid_email"],
  codes: { fields: { email: "invalid_email" } },
  example: { input: { email: "ada@acme.example" } },
});

export const resetPassword = defineOperation({
  name: "resetPassword",
  tag,
  summary: "Choose a new password with the link from the mail",
  description: "Ends every session of the account. The link works once, for an hour.",
  surface: "user",
  scope: "write",
  http: { method: "POST", path: "/api/account/password/reset" },
  input: z.strictObject({ token: Token, password: NewPassword }),
  output: z.strictObject({ email: z.string() }),
  errors: ["reset_link_invalid", ...passwordErrors],
  example: { input: { token: exampleToken, password: "correct horse battery" } },
});

export const changePassword = defineOperation({
  name: "changePassword",
  tag,
  summary: "Change the password, or choose a first one",
  description: "Ends every other session of the account.",
  surface: "user",
  scope: "write",
  // The password now is as good a proof; a first one is a new way in.
  recent: ({ current_password }) => current_password === undefined,
  http: { method: "POST", path: "/api/account/password" },
  input: z.strictObject({
    current_password: z.string().optional().describe("Required of an account that has a password."),
    password: NewPassword,
  }),
  output: z.strictObject({ ended_sessions: z.int() }),
  errors: ["wrong_password", "recent_sign_in_required", ...passwordErrors],
  example: {
    input: { current_password: "correct horse", password: "correct horse battery" },
  },
});

export const getProfile = defineOperation({
  name: "getProfile",
  tag,
  summary: "Who you are signed in as",
  surface: "user",
  scope: "read",
  http: { method: "GET", path: "/api/account/profile" },
  input: z.strictObject({}),
  output: z.strictObject({
    id: Id,
    email: z.string(),
    name: z.string().nullable(),
    has_password: z.boolean(),
    providers: z
      .array(
        z.strictObject({
          id: z.string().describe("google, github, or a name that the operator gave."),
          name: z.string().nullable().describe("What its button says; null: this server no longer offers it."),
        }),
      )
      .describe("Linked sign-ins."),
    second_factor: z
      .strictObject({ since: Timestamp })
      .nullable()
      .describe("The app whose code is asked for after the password."),
    passkeys: z.array(Passkey).describe("Oldest first."),
    recovery_codes_left: z.int(),
  }),
  example: {
    input: {},
  },
});

export const updateProfile = defineOperation({
  name: "updateProfile",
  tag,
  summary: "Change your name",
  surface: "user",
  scope: "write",
  http: { method: "PATCH", path: "/api/account/profile" },
  input: z.strictObject({ name: z.string().trim().max(100).describe("Empty: none.") }),
  output: z.strictObject({ name: z.string().nullable() }),
  example: { input: { name: "Ada Lovelace" } },
});

export const BrowserSession = z.strictObject({
  id: Id,
  current: z.boolean().describe("The one that asks."),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  created_at: Timestamp,
  last_seen_at: Timestamp.describe("To the day."),
});
export type BrowserSession = z.output<typeof BrowserSession>;

export const listSessions = defineOperation({
  name: "listSessions",
  tag,
  summary: "Where you are signed in, newest first",
  surface: "user",
  scope: "read",
  http: { method: "GET", path: "/api/account/sessions" },
  input: z.strictObject({}),
  output: z.strictObject({ sessions: z.array(BrowserSession) }),
  example: {
    input: {},
  },
});

export const revokeSession = defineOperation({
  name: "revokeSession",
  tag,
  summary: "Sign out elsewhere: one session, or all but this one",
  surface: "user",
  scope: "write",
  http: { method: "DELETE", path: "/api/account/sessions/:id" },
  recent: () => true,
  input: z.strictObject({ id: z.union([Id, z.literal("others")]).describe("Id of a session, or `others`.") }),
  output: z.strictObject({ ended_sessions: z.int() }),
  errors: ["session_not_found", "recent_sign_in_required"],
  codes: { fields: { id: "session_not_found" } },
  example: { input: { id: "others" } },
});
