import { z } from "zod";

// Dot-atom local part and host labels. A single-label host is fine: a company's own mail server may have one.
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** The address someone signs in with: trimmed and lower-cased, so that one person is one user. */
export const UserEmail = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "Write a shorter e-mail address.")
  .regex(ADDRESS, "Write an e-mail address, such as ada@acme.com.")
  .meta({ format: "email" });
