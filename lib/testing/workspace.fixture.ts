import { mintKey } from "#lib/auth/secret-tokens.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { ApprovalMode, Plan, Scope } from "#lib/core/plans.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { createWorkspaceEntity } from "#lib/domain/records/entities/service.ts";

/** `loginUserId`: it is of a device login of this member. */
type KeySettings = { expiresAt?: Date; allowedCidrs?: string[]; approval?: ApprovalMode; loginUserId?: string };

export type TestWorkspace = {
  id: WorkspaceId;
  caller: Caller;
  /** Mints a key straight into the database. */
  key(scopes?: readonly Scope[], more?: KeySettings): Promise<string>;
};

/** A workspace of a test's own. `listening`: it has a trigger, which is paused, so that its events stay in the outbox. */
export async function createTestWorkspace({
  plan = "scale" as Plan,
  name = "Test",
  listening = false,
} = {}): Promise<TestWorkspace> {
  const id = newId() as WorkspaceId;
  await withoutWorkspace((db) => db.prisma.workspace.create({ data: { id, name, plan }, select: { id: true } }));
  await withWorkspace(id, (db) => createWorkspaceEntity({ db, workspaceId: id }));
  if (listening) await addPausedTrigger(id);
  const caller: Caller = {
    workspaceId: id,
    plan,
    scopes: ["admin"],
    role: "owner",
    actor: { type: "api_key", id: newId() },
    requestId: newId(),
    client: null,
  };
  return {
    id,
    caller,
    async key(scopes = ["admin"], { expiresAt, allowedCidrs = [], approval = "none", loginUserId }: KeySettings = {}) {
      const minted = mintKey();
      const { key, prefix, lastFour, hash: keyHash } = minted;
      await withWorkspace(id, (db) =>
        db.prisma.apiKey.create({
          data: {
            workspaceId: id,
            id: newId(),
            name: "test",
            prefix,
            lastFour,
            keyHash,
            scopes: [...scopes],
            allowedCidrs,
            expiresAt: expiresAt ?? null,
            approval,
            loginUserId: loginUserId ?? null,
            createdBy: "test",
          },
          select: { id: true },
        }),
      );
      return key;
    },
  };
}

const addPausedTrigger = (workspaceId: WorkspaceId) =>
  withWorkspace(workspaceId, (db) =>
    db.prisma.trigger.create({
      data: { workspaceId, id: newId(), url: "https://example.com", secret: "", status: "paused", createdBy: "test" },
      select: { id: true },
    }),
  );
