import { inBackground } from "#lib/auth/background.ts";
import { hashPassword, inventPassword, requireGoodPassword } from "#lib/auth/passwords.ts";
import { findUserByEmail, insertUser } from "#lib/auth/queries/users.ts";
import { newWorkspaceId } from "#lib/auth/workspace-ids.ts";
import type { Actor, Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { Plan } from "#lib/core/plans.ts";
import { EmailAddress } from "#lib/core/schema.ts";
import type { Db } from "#lib/db/handle.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { addMember } from "#lib/domain/access/members/service.ts";
import { type Ctx, implement, implementAlone } from "#lib/domain/implement.ts";
import { implementUser } from "#lib/domain/implement-user.ts";
import { webhooksToLeave } from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { createWorkspaceEntity } from "#lib/domain/records/entities/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  deleteWorkspaceRow,
  getWorkspaceRow,
  insertWorkspace,
  updateNames,
  updatePlan,
  type WorkspaceRow,
} from "./queries.ts";
import { normaliseWebsite } from "./rules.ts";

export const getWorkspace = implement(contract.getWorkspace, async ({ db, workspaceId }) =>
  workspaceOfRow(await getWorkspaceRow(db, workspaceId)),
);

export const findName = async ({ db, workspaceId }: Pick<Ctx, "db" | "workspaceId">): Promise<string> =>
  (await getWorkspaceRow(db, workspaceId)).name;

export const findWebsite = async ({ db, workspaceId }: Pick<Ctx, "db" | "workspaceId">): Promise<string | null> =>
  (await getWorkspaceRow(db, workspaceId)).website;

export const updateWorkspace = implement(contract.updateWorkspace, async (ctx, { name, website }) => {
  const before = await getWorkspaceRow(ctx.db, ctx.workspaceId);
  const after = {
    ...before,
    ...(name === undefined ? {} : { name }),
    ...(website === undefined ? {} : { website: websiteOf(website) }),
  };
  await updateNames(ctx.db, after);
  for (const field of ["name", "website"] as const) {
    if (before[field] === after[field]) continue;
    await recordAudit(ctx, "workspace.changed", ctx.workspaceId, { field, from: before[field], to: after[field] });
  }
  return workspaceOfRow(after);
});

/** Deletes what the database otherwise refuses to, so it has a transaction of its own kind; there is nothing to replay. */
export const deleteWorkspace = implementAlone(contract.deleteWorkspace, async (caller, { confirm }) => {
  const leave = await withErasure(caller.workspaceId, async (db) => {
    const { name } = await getWorkspaceRow(db, caller.workspaceId);
    if (confirm.trim() !== name) throw new Fault("confirmation_mismatch", { parameter: "confirm" });
    const webhooks = await webhooksToLeave({ db });
    await deleteWorkspaceRow(db);
    return webhooks;
  });
  inBackground("deleting the webhooks of a deleted workspace", leave);
  return { ok: true as const };
});

export const listMyWorkspaces = implementUser(contract.listMyWorkspaces, "signed-in", async ({ session }) => ({
  workspaces: session.memberships.map(({ workspaceId, name, role, plan }) => ({
    workspace_id: workspaceId,
    name,
    role,
    plan,
  })),
}));

export const createWorkspace = implementUser(contract.createWorkspace, "signed-in", async (ctx, { name, website }) => {
  const workspaceId = newWorkspaceId();
  const founder = { id: ctx.session.userId, name: ctx.session.name ?? ctx.session.email };
  await withWorkspace(workspaceId, (db) => foundWorkspace({ ...ctx, db, workspaceId }, { name, website, founder }));
  return { workspace_id: workspaceId };
});

type Founding = {
  name: string;
  website?: string | undefined;
  plan?: Plan | undefined;
  founder: { id: string; name: string };
};

/** A new workspace with the entity that represents it and its first owner, in the running transaction. */
export async function foundWorkspace(
  ctx: Pick<Ctx, "db" | "workspaceId" | "requestId" | "client" | "ip"> & { actor?: Actor },
  { name, website = "", plan = getBoot().env.DEFAULT_PLAN, founder }: Founding,
): Promise<void> {
  const actor: Actor = ctx.actor ?? { type: "user", id: founder.id };
  await insertWorkspace(ctx.db, { id: ctx.workspaceId, name, website: websiteOf(website), plan });
  await createWorkspaceEntity(ctx);
  await addMember(ctx.db, founder.id, "owner");
  await recordAudit({ ...ctx, actor }, "workspace.created", ctx.workspaceId, { name, plan, owner: founder.name });
}

export type NewWorkspace = { workspaceId: WorkspaceId; ownerEmail: string; ownerPassword: string | null };

/**
 * An operator's new workspace. An existing user gains it and keeps their password (`ownerPassword` is null); a new one
 * gets `ownerPassword`, or an invented one. Throws 400 for a value that is not accepted.
 */
export async function provisionWorkspace(plan: {
  name: string;
  ownerEmail: string;
  ownerPassword?: string | undefined;
  plan?: Plan | undefined;
  /** Who runs the command, for the audit log. */
  operator?: string;
}): Promise<NewWorkspace> {
  const email = EmailAddress.safeParse(plan.ownerEmail);
  const name = contract.WorkspaceName.safeParse(plan.name);
  if (!email.success) throw new Fault("invalid_email", { parameter: "owner_email" });
  if (!name.success) throw new Fault("name_required", { parameter: "name" });
  if (plan.ownerPassword !== undefined) await requireGoodPassword(plan.ownerPassword, [email.data, name.data]);
  const password = plan.ownerPassword ?? inventPassword();
  const passwordHash = await hashPassword(password);
  const workspaceId = newWorkspaceId();
  const created = await withWorkspace(workspaceId, (db) =>
    provision(db, workspaceId, {
      ...{ ...plan, name: name.data, email: email.data },
      ...{ passwordHash, passwordTemporary: plan.ownerPassword === undefined },
    }),
  );
  return { workspaceId, ownerEmail: email.data, ownerPassword: created ? password : null };
}

type Provision = {
  name: string;
  email: string;
  passwordHash: string;
  passwordTemporary: boolean;
  plan?: Plan | undefined;
  operator?: string;
};

/** True when the owner is a new user. */
async function provision(
  db: Db,
  workspaceId: WorkspaceId,
  { email, passwordHash, passwordTemporary, operator, ...founding }: Provision,
): Promise<boolean> {
  const created = await insertUser(db, { email, name: null, passwordHash, passwordTemporary });
  const owner = created ?? (await findUserByEmail(db, email));
  if (!owner) throw new Error("an address is taken, and has no user");
  const actor: Actor = { type: "cli", id: operator ?? "operator" };
  const ctx = { db, workspaceId, actor, requestId: newId(), client: "rapport-cli" };
  await foundWorkspace(ctx, { ...founding, founder: { id: owner.id, name: email } });
  return created !== null;
}

/** Changes what the workspace may use; every instance knows with its next request. `operator` comes from `operatorOf`. */
export async function setPlan(
  operator: Caller,
  plan: Plan,
): Promise<{ workspaceId: WorkspaceId; plan: Plan; before: Plan }> {
  const { workspaceId } = operator;
  return withWorkspace(workspaceId, async (db) => {
    const { plan: before } = await getWorkspaceRow(db, workspaceId);
    if (plan !== before) {
      await updatePlan(db, plan);
      await recordAudit({ ...operator, db }, "plan.changed", workspaceId, { from: before, to: plan });
    }
    return { workspaceId, plan, before };
  });
}

/** The stored form of a website; null for none. Throws 400 `invalid_website`. */
export function websiteOf(text: string): string | null {
  if (text.trim() === "") return null;
  const website = normaliseWebsite(text);
  if (website === null) throw new Fault("invalid_website", { parameter: "website" });
  return website;
}

const workspaceOfRow = (row: WorkspaceRow): contract.Workspace => ({
  id: row.id,
  name: row.name,
  website: row.website,
  plan: row.plan,
  created_at: formatTime(row.createdAt),
});
