import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { findWorkspace } from "./workspace-ids.ts";

/** The authority of a job in its workspace; null when the workspace is gone. */
export async function jobAuthority(workspaceId: string, jobId: string): Promise<Caller | null> {
  const workspace = await findWorkspace(workspaceId);
  return (
    workspace && {
      workspaceId: workspace.id,
      plan: workspace.plan,
      scopes: ["admin"],
      role: null,
      actor: { type: "job", id: jobId },
      requestId: newId(),
      client: null,
    }
  );
}
