import type { Caller } from "#lib/core/context.ts";
import { isUuid, type WorkspaceId } from "#lib/core/ids.ts";
import { type Plan, type Role, scopesOfRole } from "#lib/core/plans.ts";
import {
  demandsOf,
  oneFactor,
  requireDemands,
  type SignInProof,
  type WorkspaceDemands,
} from "#lib/core/sign-in-demands.ts";
import { withoutWorkspace, withProof } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { isSecure, sessionTokensIn } from "./cookies.ts";
import {
  findLiveSession,
  findMemberships,
  insertSession,
  type LiveSession,
  markRenewed,
  moveSessionEnd,
} from "./queries/sessions.ts";
import { openToken, type SessionClaims, sealToken } from "./session-tokens.ts";

export type Membership = WorkspaceDemands & {
  workspaceId: WorkspaceId;
  name: string;
  role: Role;
  plan: Plan;
};

/** A signed-in person, as read from the database for this request. */
export type Session = SignInProof & {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  /** How often they had confirmed who they are when the token of this request was made. */
  renewals: number;
  /** When they last proved who they are, by signing in or since. */
  provenAt: Date;
  /** The workspaces they belong to, first joined first. */
  memberships: readonly Membership[];
};

/** A session lasts this long after its last use, and SESSION_MAX_DAYS after its beginning at most. In milliseconds. */
export const idleTime = (): number => getBoot().env.SESSION_IDLE;
/** Its end moves at most once a day, so that few requests write; more often where it ends within days. */
const moveAfter = (): number => Math.min(DAY_MS, idleTime() / 12);

/** Sessions that began before this moment have ended, used or not. */
export const oldestStart = (): Date => new Date(Date.now() - getBoot().env.SESSION_MAX_DAYS * DAY_MS);

/** Where a sign-in came from. */
export type Origin = { ip: string | null; userAgent: string | null };

/** Of a sign-in at a provider: when it last asked the person, its own id of the session, and whether the person's second factor is still to be given. */
type AtProvider = { provenAt?: Date; oidcSid?: string | null; asksFactor?: boolean };

/** Begins a session; the cookie carries its id. `provenAt`: when the person proved who they are, for a provider's word now. */
export const startSession = (
  userId: string,
  { ip, userAgent }: Origin,
  proof: SignInProof = oneFactor,
  { provenAt = new Date(), oidcSid = null, asksFactor = false }: AtProvider = {},
): Promise<string> =>
  withoutWorkspace((db) =>
    insertSession(db, {
      userId,
      ip,
      userAgent: userAgent?.slice(0, 400) ?? null,
      provenAt,
      oidcSid,
      asksFactor,
      expiresAt: new Date(Date.now() + idleTime()),
      ...proof,
    }),
  );

/** The workspaces of a user, first joined first. */
export const membershipsOf = async (userId: string): Promise<readonly Membership[]> =>
  (await withProof({ userId }, (db) => findMemberships(db, userId))).map(membershipOf);

const membershipOf = ({ workspaceId, demand, ...row }: LiveSession["memberships"][number]): Membership => ({
  ...row,
  workspaceId: workspaceId as WorkspaceId,
  demands: demandsOf(demand, getBoot().env.SIGN_IN_DEMAND),
});

/** The session of a request with these headers, which arrived `age` seconds ago; null when there is none, or it has ended. */
export async function readSession(
  header: (name: string) => string | null | undefined,
  age = 0,
): Promise<Session | null> {
  for (const token of sessionTokensIn(header("cookie") ?? undefined, isSecure(header("x-forwarded-proto")))) {
    const claims = await claimsOf(token);
    const session = claims && (await liveSession(claims.sessionId, claims.userId, { ...claims, age }));
    if (session) return session;
  }
  return null;
}

/** The session while its row exists and this is its token, or the one before in a request that came in time. */
export async function liveSession(id: string, userId: string, { renewals = 0, age = 0 } = {}): Promise<Session | null> {
  const query = { id, userId, renewals, since: oldestStart(), age };
  const row = await withProof({ userId }, (db) => findLiveSession(db, query));
  if (!row) return null;
  const end = Date.now() + idleTime();
  // An end that is later is of a time when sessions lasted longer.
  if (Math.abs(end - row.expiresAt.getTime()) > moveAfter())
    await withoutWorkspace((db) => moveSessionEnd(db, row.id, new Date(end)));
  return { ...sessionOfRow(row), renewals };
}

/** Requests that were sent before a browser had the new token are answered for this long. They prove nothing: what is far-reaching is refused. */
const FORMER_SECONDS = 30;

/** Another token for a session whose person has just proved who they are. The one they had ends; at once, where it would gain a second factor. */
export async function renewSession(
  { id, userId, renewals, secondFactor }: Pick<Session, "id" | "userId" | "renewals" | "secondFactor">,
  withFactor: boolean,
): Promise<string> {
  const gains = withFactor && !secondFactor;
  const formerUntil = gains ? null : new Date(Date.now() + FORMER_SECONDS * 1_000);
  await withoutWorkspace((db) => markRenewed(db, { id, userId, renewals }, { withFactor, formerUntil }));
  return sealToken(sealed({ sessionId: id, userId, renewals: renewals + 1 }));
}

/** What one of our tokens says. */
export type Claims = { sessionId: string; userId: string; renewals: number };

/** The content of a token. */
export const sealed = ({ userId: sub, sessionId: sid, renewals }: Claims): SessionClaims =>
  renewals === 0 ? { sub, sid } : { sub, sid, renewals };

async function claimsOf(token: string): Promise<Claims | null> {
  return claimsIn(await openToken({ token }));
}

/** The content of one of our tokens; null for anything else. */
export function claimsIn(payload: { sub?: unknown; sid?: unknown; renewals?: unknown } | null): Claims | null {
  const { sub: userId, sid: sessionId, renewals = 0 } = payload ?? {};
  return typeof userId === "string" && typeof sessionId === "string" && isUuid(userId) && isUuid(sessionId)
    ? { sessionId, userId, renewals: Number(renewals) }
    : null;
}

/** Who has a second factor and came from a provider that does not ask for it opens no workspace before they have given it. */
function sessionOfRow({ expiresAt: _, asksFactor, memberships, ...row }: LiveSession): Omit<Session, "renewals"> {
  const joined = memberships.map(membershipOf);
  if (!asksFactor || row.secondFactor) return { ...row, memberships: joined };
  const asking = joined.map((each) => ({ ...each, demands: demandsOf("second_factor", ...each.demands) }));
  return { ...row, memberships: asking };
}

/**
 * The signed-in person as a caller in one of their workspaces; null for any other workspace, whether it exists or not. Throws 403
 * when they did not sign in as the workspace demands.
 */
export function callerFor(
  session: Session,
  workspaceId: string,
  requestId: string,
  { client = null, ip }: { client?: string | null; ip?: string } = {},
): Caller | null {
  const membership = session.memberships.find((candidate) => candidate.workspaceId === workspaceId.toLowerCase());
  if (!membership) return null;
  requireDemands(session, membership);
  const { role, plan } = membership;
  const { secondFactor, byOidc, oidcIssuer } = session;
  const actor = { type: "user", id: session.userId } as const;
  const from = ip === undefined ? {} : { ip };
  return {
    workspaceId: membership.workspaceId,
    plan,
    scopes: scopesOfRole[role],
    role,
    provenAt: session.provenAt,
    proof: { secondFactor, byOidc, oidcIssuer },
    actor,
    viewer: session.userId,
    requestId,
    client,
    ...from,
  };
}
