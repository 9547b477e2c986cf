import { networkOf } from "#lib/auth/network.ts";
import { lockRole } from "#lib/auth/queries/members.ts";
import { mintLinkToken, mintUserCode, readUserCode, sha256, userCodeHash } from "#lib/auth/secret-tokens.ts";
import { callerFor } from "#lib/auth/sessions.ts";
import { countAttempt, forgiveAttempt, type Throttle } from "#lib/auth/throttle.ts";
import { findWorkspace } from "#lib/auth/workspace-ids.ts";
import { Fault } from "#lib/core/errors.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { isScope, roleForScope, scopesOfRole } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { issueKey, revokeByItself } from "#lib/domain/access/api-keys/service.ts";
import { implementUser, type SignedIn, type Visitor } from "#lib/domain/implement-user.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import * as contract from "./contract.ts";
import {
  denyApprovedBy,
  findByDeviceCode,
  findByUserCode,
  findByUserCodeToDecide,
  insertLogin,
  type LoginRow,
  markApproved,
  markConsumed,
  markDenied,
  markPolled,
} from "./queries.ts";
import { hostIn, INTERVAL_SECONDS, keyNameOf, LIFETIME_SECONDS, pace, statusOf, stillAllowed } from "./rules.ts";
import { loginOfRow } from "./serialize.ts";

const starts: Throttle = { name: "device-start", attempts: 100, seconds: 600, waits: [30, 60, 300] };
/** As much as a hundred programs of one network send while they wait. */
const polls: Throttle = { name: "device-poll", attempts: 1_200, seconds: 60, waits: [5, 30, 60] };
const codesTried: Throttle = { name: "device-code", attempts: 20, seconds: 900, waits: [60, 300, 900] };

export const startDeviceLogin = implementUser(contract.startDeviceLogin, "program", async (ctx, { host, scopes }) => {
  await countAttempt(starts, networkOf(ctx.ip));
  const createdAt = new Date();
  const { token: device_code, hash: deviceCodeHash } = mintLinkToken();
  const login = {
    deviceCodeHash,
    host: hostIn(host),
    client: ctx.client,
    ip: ctx.ip,
    scopes: [...new Set(scopes)],
    interval: INTERVAL_SECONDS,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + LIFETIME_SECONDS * 1_000),
  };
  const user_code = await withoutWorkspace(async (db) => {
    for (;;) {
      const code = mintUserCode();
      if (await insertLogin(db, { ...login, userCodeHash: hashOf(code) })) return code;
    }
  });
  const verification_uri = `${ctx.origin}/device`;
  return {
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    interval: INTERVAL_SECONDS,
    expires_in: LIFETIME_SECONDS,
  };
});

const hashOf = (code: string): Buffer => userCodeHash(code, getBoot().secrets.sessionSecret);

export const pollDeviceLogin = implementUser(contract.pollDeviceLogin, "program", async (ctx, { device_code }) => {
  await countAttempt(polls, networkOf(ctx.ip));
  const hash = sha256(device_code);
  const login = await withoutWorkspace(async (db) => {
    const login = await findByDeviceCode(db, hash);
    if (!login) throw new Fault("login_not_found", { parameter: "device_code" });
    return { ...login, wait: await keepPace(db, login) };
  });
  const status = statusOf(login, new Date());
  if (status === "approved") return handOver(ctx, hash, login);
  if (login.wait > 0) {
    const { interval, wait: retry_after } = login;
    throw new Fault("slow_down", { status, interval: retry_after, retry_after }, tooEarly(interval, retry_after));
  }
  return { status };
});

const tooEarly = (interval: number, now: number): string =>
  `You asked again in less than ${interval} seconds: from now on wait ${now} seconds before each poll.`;

/** Notes the poll; how many seconds the program has to wait when it came too early, else 0. */
async function keepPace(db: Db, login: LoginRow): Promise<number> {
  const now = new Date();
  if (statusOf(login, now) !== "pending") return 0;
  const { interval, wait } = pace(login, now);
  await markPolled(db, login.id, now, interval);
  return wait;
}

/**
 * Mints the key in the transaction that marks the login as consumed, so that of two polls at once one gets it. Nothing is
 * minted when the workspace is gone, or the person who approved is no member any more.
 */
async function handOver(ctx: Visitor, hash: Buffer, { id, approvedFor }: LoginRow) {
  const workspace = await findWorkspace(approvedFor ?? "");
  if (!workspace) {
    await withoutWorkspace((db) => markDenied(db, id, new Date()));
    return { status: "denied" as const };
  }
  const { id: workspaceId } = workspace;
  return withWorkspace(workspaceId, async (db) => {
    const now = new Date();
    const login = await findByDeviceCode(db, hash);
    const status = login ? statusOf(login, now) : "expired";
    if (!login?.approvedBy || status !== "approved") return { status: status as "denied" | "expired" | "consumed" };
    const role = await lockRole(db, login.approvedBy);
    const scopes = role ? stillAllowed(login.scopes.filter(isScope), scopesOfRole[role]) : [];
    if (scopes.length === 0) {
      await markDenied(db, id, now);
      return { status: "denied" as const };
    }
    const author = { ...ctx, db, workspaceId, actor: { type: "user", id: login.approvedBy } as const };
    const plan = {
      name: keyNameOf(login.host),
      scopes,
      expiresAt: null,
      allowedCidrs: [],
      loginUserId: login.approvedBy,
    };
    const [minted] = await together([issueKey(author, plan, now), markConsumed(db, id, now)]);
    const { id: keyId, name } = minted.key;
    await recordAudit(author, "api_key.minted", keyId, { name, scopes, device_login: id });
    return { status: "approved" as const, api_key: minted.api_key, workspace_id: workspaceId };
  });
}

/** Denies the programs that a user let in and that have not fetched their key yet. */
export const denyApprovedLogins = (userId: string): Promise<void> =>
  withoutWorkspace((db) => denyApprovedBy(db, userId, new Date()));

export const revokePresentedKey = implementUser(contract.revokePresentedKey, "program", async (ctx, { api_key }) => {
  await countAttempt(polls, networkOf(ctx.ip));
  return { revoked: await revokeByItself(ctx, api_key) };
});

export const getDeviceLogin = implementUser(contract.getDeviceLogin, "signed-in", async (ctx, { user_code }) => {
  const code = await countedCode(ctx, user_code);
  const login = await withoutWorkspace((db) => findByUserCode(db, hashOf(code)));
  if (!login) throw unknownCode();
  await forgiveTry(ctx);
  const workspaces = ctx.session.memberships.map(({ workspaceId: id, name, role }) => {
    return { id, name, role, scopes: [...scopesOfRole[role]] };
  });
  return { login: loginOfRow(login, code, new Date()), workspaces };
});

export const approveDeviceLogin = implementUser(contract.approveDeviceLogin, "signed-in", async (ctx, input) => {
  const caller = callerFor(ctx.session, input.workspace_id, ctx.requestId, ctx);
  if (!caller) throw new Fault("workspace_not_found", { parameter: "workspace_id" }, "You are in no such workspace.");
  const scopes = [...new Set(input.scopes)];
  const refused = scopes.find((scope) => !caller.scopes.includes(scope));
  if (refused) {
    const why = `Your role in this workspace does not let you give a program the scope ${refused}.`;
    throw new Fault("role_required", { parameter: "scopes", required_role: roleForScope(refused) }, why);
  }
  const code = await countedCode(ctx, input.user_code);
  const login = await decide(caller.workspaceId, code, async (db, { id, host, ip }, at) => {
    await markApproved(db, id, { at, userId: ctx.session.userId, workspaceId: caller.workspaceId, scopes });
    await recordAudit({ ...caller, db }, "device_login.approved", id, { host, ip, scopes });
    return { scopes, approvedAt: at };
  });
  await forgiveTry(ctx);
  return { login };
});

export const denyDeviceLogin = implementUser(contract.denyDeviceLogin, "signed-in", async (ctx, { user_code }) => {
  const code = await countedCode(ctx, user_code);
  const login = await decide(null, code, async (db, { id }, at) => {
    await markDenied(db, id, at);
    return { deniedAt: at };
  });
  await forgiveTry(ctx);
  return { login };
});

/** Runs `mark` on a pending login, which is locked; the login as it is then. Throws 404 and 409. */
async function decide(
  workspaceId: WorkspaceId | null,
  code: string,
  mark: (db: Db, login: LoginRow, at: Date) => Promise<Partial<LoginRow>>,
): Promise<contract.DeviceLogin> {
  const work = async (db: Db) => {
    const now = new Date();
    const login = await findByUserCodeToDecide(db, hashOf(code));
    if (!login) throw unknownCode();
    const status = statusOf(login, now);
    if (status !== "pending") throw new Fault("login_decided", { status });
    return loginOfRow({ ...login, ...(await mark(db, login, now)) }, code, now);
  };
  return workspaceId ? withWorkspace(workspaceId, work) : withoutWorkspace(work);
}

/** The code in its own form, once the try is counted for the network and the person. Throws 404 and 429. */
async function countedCode(ctx: SignedIn, typedCode: string): Promise<string> {
  await countAttempt(codesTried, networkOf(ctx.ip));
  await countAttempt(codesTried, ctx.session.userId);
  const code = readUserCode(typedCode);
  if (!code) throw unknownCode();
  return code;
}

const forgiveTry = (ctx: SignedIn): Promise<unknown> =>
  together([forgiveAttempt(codesTried, networkOf(ctx.ip)), forgiveAttempt(codesTried, ctx.session.userId)]);

const unknownCode = () => new Fault("login_not_found", { parameter: "user_code" });
