import "./zod-without-eval.ts";
import { z } from "zod";
import { UserEmail } from "#lib/core/email.ts";

/** The checks of forms before a request; the server checks again. */

export const Email = UserEmail;

export const NewPassword = z.string().min(12, "Use at least 12 characters.").max(200, "Use at most 200 characters.");

export const PASSWORD_HINT = "At least 12 characters; a few words do well.";

export const GivenPassword = z.string().min(1, "Enter your password.");

export const PersonName = z.string().trim().max(100, "Use at most 100 characters.");

export const WorkspaceName = z.string().trim().min(1, "Name the workspace.").max(100, "Use at most 100 characters.");

export const Website = z
  .string()
  .trim()
  .max(200, "Use at most 200 characters.")
  .regex(/^$|^(https?:\/\/)?[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/i, "Write a domain, such as acme.com.");
