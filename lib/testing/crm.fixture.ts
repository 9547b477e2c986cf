import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { sealCredentials } from "#lib/domain/integrations/connections/service/sealed.ts";

/** A connected CRM, without asking it. Its token leads nowhere. */
export async function connectCrm(workspaceId: WorkspaceId): Promise<void> {
  const id = newId();
  const data = { workspaceId, id, provider: "hubspot", isVerified: true, createdBy: "test" };
  const credentials = sealCredentials(id, { access_token: "pat-test" });
  await withWorkspace(workspaceId, (db) =>
    db.prisma.connection.create({ data: { ...data, credentials }, select: { id: true } }),
  );
}
