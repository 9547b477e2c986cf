import { findUserByEmail, findUserById, insertUser as insertPerson } from "#lib/auth/queries/users.ts";
import { Fault } from "#lib/core/errors.ts";
import {
  endMembership,
  ensureMember,
  findMembersByUser,
  isLastOwner,
  type MemberRow,
  setGroupRole,
} from "#lib/domain/access/members/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type AuditAction, recordAudit } from "#lib/domain/records/audit/service.ts";
import type { SentUser } from "../contract.ts";
import * as queries from "../queries.ts";
import { addressOf, attributesOf, highestRole, nameOf } from "../rules.ts";
import { type Page, type PageRequest, pageOf } from "./page.ts";
import { applyRoles, beginChange } from "./roles.ts";

export type ProvisionedUser = queries.DirectoryUserRow;

/** People of the directory, first added first; `test` decides where the database cannot. */
export const listUsers = (
  { db }: Pick<Ctx, "db">,
  where: queries.UserFilter,
  test: ((user: ProvisionedUser) => boolean) | null,
  request: PageRequest,
): Promise<Page<ProvisionedUser>> =>
  pageOf(
    request,
    test,
    (span) => queries.findUsers(db, where, span),
    () => queries.countUsers(db, where),
  );

/** Throws 404 `directory_user_not_found`. */
export async function findUser({ db }: Pick<Ctx, "db">, id: string): Promise<ProvisionedUser> {
  const [user] = await queries.findUsers(db, { id });
  if (!user) throw new Fault("directory_user_not_found");
  return user;
}

const storedOf = (sent: SentUser, active: boolean) => ({
  userName: sent.userName.toLowerCase(),
  externalId: sent.externalId ?? null,
  active,
  attributes: attributesOf(sent),
});

/**
 * Adds a person: a member with this address, or a new user without a password, who becomes a member. Someone who has an account on this
 * server and is no member joins by an invitation first: a directory cannot take them in. Throws 400 `invalid_email` and 409
 * `directory_user_exists` and `directory_user_elsewhere`.
 */
export async function addUser(ctx: Ctx, sent: SentUser): Promise<ProvisionedUser> {
  const email = addressOf(sent);
  if (email === null) throw new Fault("invalid_email", {}, "Neither emails nor userName holds an e-mail address.");
  await beginChange(ctx);
  const active = sent.active ?? true;
  const created = await insertPerson(ctx.db, { email, name: nameOf(sent), passwordHash: null });
  const person = created ?? (await findUserByEmail(ctx.db, email));
  if (!person) throw new Error("an address is taken by no one");
  const member = created ? null : (await findMembersByUser(ctx.db, [person.id])).get(person.id);
  if (member === undefined) throw new Fault("directory_user_elsewhere");
  const id = await queries.insertUser(ctx.db, person.id, storedOf(sent, active));
  if (id === null) throw new Fault("directory_user_exists");
  await recordAudit(ctx, "directory_user.added", id, { user_name: sent.userName, email, active });
  if (created && active) await ensureMember(ctx, person, "member");
  if (member?.groupRole) await takeOverRole(ctx, id, member);
  const user = await findUser(ctx, id);
  if (!active) await end(ctx, user, "directory_user.deactivated");
  return user;
}

/** A role that the groups of a sign-in gave counts as given by the directory's groups from now on: what they do not give is lost. */
async function takeOverRole(ctx: Ctx, id: string, { userId, groupRole }: MemberRow): Promise<void> {
  await queries.setGivenRole(ctx.db, id, groupRole);
  await setGroupRole(ctx.db, userId, null);
  await applyRoles(ctx, { ids: [id] });
}

/**
 * What the directory says of a person now. `active` false ends their membership, as removing a member does; true makes them a member
 * again. The address that they sign in with stays. Throws 404 `directory_user_not_found`, 409 `directory_user_exists` and
 * `last_owner`.
 */
export async function replaceUser(
  ctx: Ctx,
  id: string,
  sentBy: (user: ProvisionedUser) => SentUser,
): Promise<ProvisionedUser> {
  await beginChange(ctx);
  const user = await findUser(ctx, id);
  const sent = sentBy(user);
  const next = storedOf(sent, sent.active ?? user.active);
  if (next.userName !== user.userName && (await queries.countUsers(ctx.db, { userName: next.userName })) > 0)
    throw new Fault("directory_user_exists");
  await queries.updateUser(ctx.db, id, next);
  if (!next.active) await end(ctx, user, "directory_user.deactivated");
  if (!user.active && next.active) {
    const given = highestRole(user.groups.map(({ group }) => group.role));
    const person = await findUserById(ctx.db, user.userId);
    if (!person) throw new Fault("directory_user_not_found");
    await ensureMember(ctx, person, given ?? "member");
    await recordAudit(ctx, "directory_user.activated", id, { user_name: next.userName });
    await applyRoles(ctx, { ids: [id] });
  }
  return findUser(ctx, id);
}

/** Forgets a person of the directory and ends their membership. Throws 404 `directory_user_not_found` and 409 `last_owner`. */
export async function removeUser(ctx: Ctx, id: string): Promise<void> {
  await beginChange(ctx);
  const user = await findUser(ctx, id);
  await end(ctx, user, "directory_user.removed");
  await queries.deleteUser(ctx.db, id);
}

/** Ends the membership of a person, also of one who joined again by hand since; says nothing when all is so already. */
async function end(ctx: Ctx, user: ProvisionedUser, action: AuditAction): Promise<void> {
  const member = (await findMembersByUser(ctx.db, [user.userId])).get(user.userId);
  if (user.active || member) await recordAudit(ctx, action, user.id, { user_name: user.userName });
  if (!member) return;
  if (await isLastOwner(ctx.db, member)) throw new Fault("last_owner");
  await endMembership(ctx, member, "member.removed");
}
