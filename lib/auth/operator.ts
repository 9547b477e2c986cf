import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import {
  findWorkspaces,
  findWorkspacesAfter,
  findWorkspacesWithTriggers,
  type WorkspaceSummary,
} from "./queries/workspaces.ts";
import { findWorkspace } from "./workspace-ids.ts";

/**
 * The authority of people who run commands on the server itself: an owner's, in every workspace. `user` is their
 * name on the operating system. Throws 404 `workspace_not_found`.
 */
export async function operatorOf(workspaceId: string, user: string): Promise<Caller> {
  const workspace = await findWorkspace(workspaceId);
  if (!workspace) throw new Fault("workspace_not_found");
  return {
    workspaceId: workspace.id,
    plan: workspace.plan,
    scopes: ["admin"],
    role: "owner",
    actor: { type: "cli", id: user },
    requestId: newId(),
    client: "rapport-cli",
  };
}

/** Every workspace of this installation, oldest first. */
export const listWorkspaces = async (): Promise<(WorkspaceSummary & { id: WorkspaceId })[]> =>
  (await withoutWorkspace(findWorkspaces)) as (WorkspaceSummary & { id: WorkspaceId })[];

/** The ids of all workspaces, for an operator's commands. */
export const everyWorkspace = async (): Promise<WorkspaceId[]> => (await listWorkspaces()).map(({ id }) => id);

/** The ids of the `most` workspaces after one, oldest first; the first of all for null. */
export const workspacesAfter = async (id: WorkspaceId | null, most: number): Promise<WorkspaceId[]> =>
  (await withoutWorkspace((db) => findWorkspacesAfter(db, id, most))) as WorkspaceId[];

/** The ids of the workspaces that have triggers. */
export const workspacesWithTriggers = async (): Promise<WorkspaceId[]> =>
  (await withoutWorkspace(findWorkspacesWithTriggers, { operation: "looking for triggers" })) as WorkspaceId[];

/** The id of a workspace that a process of this installation announced something of. */
export const announcedWorkspace = (id: string): WorkspaceId => id as WorkspaceId;
