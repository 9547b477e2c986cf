import { liveSession, type Session, startSession } from "#lib/auth/sessions.ts";
import { newId } from "#lib/core/ids.ts";
import type { SignedIn, Visitor } from "#lib/domain/implement-user.ts";
import { inspect } from "./database.ts";

/** A visitor of the account pages who is not signed in. */
export const stranger = (ip = "192.0.2.1"): Visitor => ({
  session: null,
  ip,
  userAgent: "test",
  requestId: newId(),
  client: null,
  origin: "http://localhost:3000",
});

/** The same person after signing in. */
export async function signedIn(userId: string, ip = "192.0.2.1"): Promise<SignedIn> {
  const sessionId = await startSession(userId, { ip, userAgent: "test" });
  return { ...stranger(ip), session: await sessionOf(sessionId, userId) };
}

/** The session as the next request would see it; fails when it has ended. */
export async function sessionOf(sessionId: string, userId: string): Promise<Session> {
  const [row] = await inspect<{ renewals: number }>("SELECT renewals FROM sessions WHERE id = $1", [sessionId]);
  const session = await liveSession(sessionId, userId, { renewals: row?.renewals ?? 0 });
  if (!session) throw new Error("the session has ended");
  return session;
}
