import { EmailAddress } from "#lib/core/schema.ts";
import "./zod-without-eval.ts";
import { z } from "zod";
import { roles } from "#lib/core/plans.ts";
import { TOO_LONG, TOO_SHORT } from "./password-words.ts";

/* What the forms check before a request; the server checks again. Pages load it by `checkOf`. */

const Email = EmailAddress;
const NewPassword = z.string().min(12, TOO_SHORT).max(200, TOO_LONG);
const PersonName = z.string().trim().max(100, "Use at most 100 characters.");
const WorkspaceName = z.string().trim().min(1, "Name the workspace.").max(100, "Use at most 100 characters.");
const Website = z
  .string()
  .trim()
  .max(200, "Use at most 200 characters.")
  .regex(/^$|^(https?:\/\/)?[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/i, "Enter a domain, such as acme.com.");

const account = { name: PersonName.optional(), email: Email, password: NewPassword };
const workspace = { name: WorkspaceName, website: Website };

export const forms = {
  signIn: z.object({
    email: Email,
    password: z.string().min(1, "Enter your password."),
    /** Asked for after a password that was made up for them. */
    new_password: NewPassword.optional(),
    /** Asked for after the password of who has a second factor. */
    code: z.string().trim().max(40).optional(),
  }),
  signUp: z.object({ ...account, workspace_name: WorkspaceName }),
  /** Someone invited joins a workspace that exists. */
  join: z.object({ ...account, workspace_name: z.string().optional() }),
  forgotPassword: z.object({ email: Email }),
  resetPassword: z.object({ password: NewPassword }),
  firstPassword: z.object({ current_password: z.string().optional(), password: NewPassword }),
  changePassword: z.object({
    current_password: z.string().min(1, "Enter the password you have now."),
    password: NewPassword,
  }),
  workspace: z.object(workspace),
  profile: z.object({ name: PersonName }),
  invite: z.object({ email: z.union([z.literal(""), Email]), role: z.enum(roles) }),
};

export type Forms = typeof forms;
