import { Fault } from "#lib/core/errors.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import type { SentGroup } from "../contract.ts";
import * as queries from "../queries.ts";
import { type Page, type PageRequest, pageOf } from "./page.ts";
import { applyRoles, beginChange } from "./roles.ts";

/** A group with its people. */
export type ProvisionedGroup = queries.DirectoryGroupRow & { members: { id: string; userName: string }[] };

/** Groups of the directory, first added first; `test` decides where the database cannot. */
export async function listGroups(
  { db }: Pick<Ctx, "db">,
  filter: queries.GroupFilter,
  test: ((group: ProvisionedGroup) => boolean) | null,
  request: PageRequest,
): Promise<Page<ProvisionedGroup>> {
  const where = { ...filter, byHand: false };
  return pageOf(
    request,
    test,
    async (span) => withMembers(db, await queries.findGroups(db, where, span)),
    () => queries.countGroups(db, where),
  );
}

async function withMembers(db: Ctx["db"], groups: queries.DirectoryGroupRow[]): Promise<ProvisionedGroup[]> {
  const members = await queries.findGroupMembers(
    db,
    groups.map(({ id }) => id),
  );
  return groups.map((group) => ({ ...group, members: members.get(group.id) ?? [] }));
}

/** Throws 404 `directory_group_not_found`. */
export async function findGroup({ db }: Pick<Ctx, "db">, id: string): Promise<ProvisionedGroup> {
  const [group] = await withMembers(db, await queries.findGroups(db, { id, byHand: false }));
  if (!group) throw new Fault("directory_group_not_found");
  return group;
}

/**
 * Adds a group. It gives no role until an admin says which; one with its name that was written down by hand becomes it. Throws 409 `directory_group_exists` and 404 for an unknown
 * member.
 */
export async function addGroup(ctx: Ctx, sent: SentGroup): Promise<ProvisionedGroup> {
  await beginChange(ctx);
  const { displayName, externalId = null } = sent;
  const stored = { displayName, externalId };
  const id = (await queries.insertGroup(ctx.db, stored)) ?? (await queries.takeOverGroup(ctx.db, stored));
  if (id === null) throw new Fault("directory_group_exists");
  await recordAudit(ctx, "directory_group.added", id, { name: displayName });
  await setMembers(ctx, id, [], sent);
  return findGroup(ctx, id);
}

/** What the directory says of a group now. Throws as `addGroup`, and 404 `directory_group_not_found`. */
export async function replaceGroup(
  ctx: Ctx,
  id: string,
  sentBy: (group: ProvisionedGroup) => SentGroup,
): Promise<ProvisionedGroup> {
  await beginChange(ctx);
  const group = await findGroup(ctx, id);
  const sent = sentBy(group);
  const { displayName, externalId = null } = sent;
  if (displayName !== group.displayName && (await queries.countGroups(ctx.db, { displayName })) > 0)
    throw new Fault("directory_group_exists");
  await queries.updateGroup(ctx.db, id, { displayName, externalId });
  await setMembers(
    ctx,
    id,
    group.members.map((member) => member.id),
    sent,
  );
  return findGroup(ctx, id);
}

/** Removes a group; its people keep no role that only it gave. Throws 404 `directory_group_not_found`. */
export async function removeGroup(ctx: Ctx, id: string): Promise<void> {
  await beginChange(ctx);
  const group = await findGroup(ctx, id);
  await queries.deleteGroup(ctx.db, id);
  await recordAudit(ctx, "directory_group.removed", id, { name: group.displayName });
  await applyRoles(ctx, { ids: group.members.map((member) => member.id) });
}

async function setMembers(
  ctx: Ctx,
  groupId: string,
  before: readonly string[],
  { members, displayName }: SentGroup,
): Promise<void> {
  const after = new Set((members ?? []).map(({ value }) => value));
  const added = [...after].filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.has(id));
  if (added.length === 0 && removed.length === 0) return;
  const found = await queries.findUsersOf(ctx.db, { ids: added });
  if (found.length < added.length) throw new Fault("directory_user_not_found");
  await queries.addToGroup(ctx.db, groupId, added);
  await queries.removeFromGroup(ctx.db, groupId, removed);
  await recordAudit(ctx, "directory_group.members_changed", groupId, {
    name: displayName,
    added: added.length,
    removed: removed.length,
  });
  await applyRoles(ctx, { ids: [...added, ...removed] });
}
