import type { Actor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { findNamedMembers, findUserBehind, keepMember, type NamedMember } from "./queries/members.ts";

export { findNamedMembers, type NamedMember } from "./queries/members.ts";

type Asking = { db: Db; actor: Actor };

/** The word by which callers name themselves. */
const ME = "me";

/** The user who acts: who is signed in, who made the API key, or who approved the connected client; null: none of them. */
export async function userBehind({ db, actor }: Asking): Promise<string | null> {
  if (actor.type === "user") return actor.id;
  return isUuid(actor.id) ? findUserBehind(db, actor.id) : null;
}

/** Throws 400 `invalid_parameter` when no member, or more than one, has that name. */
export type MemberFinder = (text: string, parameter: string) => NamedMember;

/**
 * Finds members by what callers send: `me`, an e-mail address, the id of a member, or the full name that only one has. All
 * members are read once, which are tens.
 */
export async function memberFinder(asking: Asking): Promise<MemberFinder> {
  const members = await findNamedMembers(asking.db);
  const me = await userBehind(asking);
  return (text, parameter) => {
    const wanted = text.trim().toLowerCase();
    const match = members.find(({ id, userId, email }) =>
      wanted === ME ? userId === me : email === wanted || id === wanted,
    );
    const sameName = members.filter(({ name }) => name?.trim().toLowerCase() === wanted);
    const only = match ?? (sameName.length === 1 ? sameName[0] : undefined);
    if (only) return only;
    const message =
      wanted === ME
        ? `${parameter}: no member made this key, so me means no one. Give a member's e-mail address.`
        : `${parameter}: no member of this workspace has that e-mail address, id or full name.`;
    throw new Fault("invalid_parameter", { parameter }, message);
  };
}

/** Finds the members that fields name as owners; reads them only when one does. */
export async function ownersIn(
  asking: Asking,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<MemberFinder> {
  if (rows.some(({ owner }) => typeof owner === "string")) return memberFinder(asking);
  return () => {
    throw new Error("no field names an owner");
  };
}

/** A member to write into a row: they stay a member until this transaction ends. Throws like `memberFinder`. */
export async function memberToWrite(asking: Asking, text: string, parameter: string): Promise<NamedMember> {
  const member = (await memberFinder(asking))(text, parameter);
  if (await keepMember(asking.db, member.userId)) return member;
  throw new Fault("invalid_parameter", { parameter }, `${parameter}: ${member.email} is no member any more.`);
}
