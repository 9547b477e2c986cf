import { type Role, roles } from "#lib/core/plans.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import type { SentUser } from "./contract.ts";

/** The address that a person signs in with: the primary one, else the first, else the user name. Null: none is an address. */
export function addressOf({ userName, emails }: Pick<SentUser, "userName" | "emails">): string | null {
  const given = emails ?? [];
  const primary = given.filter((email) => email.primary === true);
  const texts = [...primary, ...given].map(({ value }) => value).concat(userName);
  for (const text of texts) {
    const address = EmailAddress.safeParse(text);
    if (address.success) return address.data;
  }
  return null;
}

/** The name of a person; null when the directory sent none. */
export function nameOf({ displayName, name }: Pick<SentUser, "displayName" | "name">): string | null {
  const parts = [name?.givenName, name?.familyName].filter(Boolean).join(" ");
  return (displayName || name?.formatted || parts).trim() || null;
}

/** Attributes that have a place of their own, that only the server sets, or that must not be kept. */
const APART: ReadonlySet<string> = new Set([
  ...["schemas", "id", "meta", "groups"],
  ...["userName", "externalId", "active", "password"],
]);

/** What is kept of a person as it came. */
export const attributesOf = (sent: SentUser): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !APART.has(name)));

/** The highest of the roles of one's groups; null when no group gives one. */
export const highestRole = (given: readonly (Role | null)[]): Role | null =>
  roles.findLast((role) => given.includes(role)) ?? null;

type Standing = {
  /** The role that the member has now. */
  role: Role;
  /** What the groups gave before; null: nothing. */
  given: Role | null;
  /** What they give now. */
  gives: Role | null;
};

/** The role that a member should have. The directory makes no owner and unmakes none; what it never gave it does not take. */
export function roleFor({ role, given, gives }: Standing): Role {
  if (role === "owner") return role;
  if (gives !== null) return gives;
  return given === null ? role : "member";
}

/** A member, with the role that the groups of their sign-in gave last. */
type Following = { role: Role; given: Role | null; isLastOwner: boolean };

/**
 * What a sign-in changes, by the role that its groups give now: who is no member joins, who had a role by groups and has none leaves, and the role
 * of everyone else follows. Null: nothing. The last owner stays.
 */
export function outcomeOf(
  member: Following | null,
  gives: Role | null,
): { join: Role } | { change: Role } | "leave" | null {
  if (!member) return gives === null ? null : { join: gives };
  const { role, given, isLastOwner } = member;
  if (gives === null && given !== null) return isLastOwner ? null : "leave";
  const next = roleFor({ role, given, gives });
  return next === role && gives === given ? null : { change: next };
}
