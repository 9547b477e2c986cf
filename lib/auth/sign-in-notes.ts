import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { inBackground } from "./background.ts";
import { liveSession } from "./sessions.ts";

/** Notes a sign-in in the audit log of every workspace the person belongs to. Nobody waits for it. */
export function noteSignIn(userId: string, sessionId: string, how: string): void {
  inBackground("noting a sign-in", async () => {
    const session = await liveSession(sessionId, userId);
    const requestId = newId();
    for (const { workspaceId } of session?.memberships ?? []) {
      const detail = { email: session?.email, with: how === "credentials" ? "password" : how };
      await withWorkspace(workspaceId, (db) =>
        recordAudit(
          { db, actor: { type: "user", id: userId }, client: null, requestId },
          "user.signed_in",
          userId,
          detail,
        ),
      );
    }
  });
}
