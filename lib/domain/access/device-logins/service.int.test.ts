import { beforeAll, describe, expect, test } from "vitest";
import { authenticateKey } from "#lib/auth/api-keys.ts";
import { callerFor } from "#lib/auth/sessions.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import { listApiKeys, mintApiKey, rotateApiKey } from "#lib/domain/access/api-keys/service.ts";
import { acceptInvitation, changeRole, invite, listMembers, removeMember } from "#lib/domain/access/members/service.ts";
import { signUp } from "#lib/domain/workspace/users/service.ts";
import { deleteWorkspace } from "#lib/domain/workspace/workspaces/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { sessionOf, signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import { schedules } from "./jobs.ts";
import {
  approveDeviceLogin,
  denyDeviceLogin,
  getDeviceLogin,
  pollDeviceLogin,
  revokePresentedKey,
  startDeviceLogin,
} from "./service.ts";

let count = 0;
const address = () => `203.0.113.${++count}`;

/** A person with a workspace of their own, signed in. */
async function founder() {
  const ip = address();
  const { user_id, workspace_id } = await signUp.execute(stranger(ip), {
    email: `person${count}@acme.example`,
    password: "correct horse battery",
    workspace_name: `W${count}`,
  });
  const visitor = await signedIn(user_id, ip);
  const caller = callerFor(visitor.session, workspace_id, newId()) as Caller;
  return { userId: user_id, visitor, workspaceId: workspace_id, caller };
}

/** Another person in the founder's workspace. */
async function joined(owner: Awaited<ReturnType<typeof founder>>, role: Role) {
  const person = await founder();
  const { link } = await invite.execute(owner.caller, { role });
  await acceptInvitation.execute(person.visitor, { token: link.split("/").at(-1) as string });
  const session = await sessionOf(person.visitor.session.id, person.userId);
  const { members } = await listMembers.execute(owner.caller, {});
  const memberId = members.find((member) => member.user_id === person.userId)?.id as string;
  return { ...person, memberId, visitor: { ...person.visitor, session } };
}

const program = (ip = address()) => ({ ...stranger(ip), client: "rapport-cli/0.2.0" });
const start = (input: object = { host: "ada-laptop" }) => startDeviceLogin.execute(program(), input);
const poll = ({ device_code }: { device_code: string }) => pollDeviceLogin.execute(program(), { device_code });
const code = (error: unknown) => (error as { code?: string }).code;

async function approved(person: Pick<Awaited<ReturnType<typeof founder>>, "visitor">, workspaceId: string) {
  const login = await start();
  const { user_code } = login;
  await approveDeviceLogin.execute(person.visitor, { user_code, workspace_id: workspaceId });
  return login;
}

/** Lets the waiting time of a login pass. */
const wait = ({ user_code }: { user_code: string }) =>
  inspect("UPDATE device_logins SET last_polled_at = last_polled_at - interval '1 hour' WHERE host = $1", [user_code]);

beforeAll(() => bootWith({ SIGNUPS: "open" }));

describe("a login", () => {
  test("shows two codes, of which only hashes are kept", async () => {
    const login = await start();
    expect(login).toEqual({
      device_code: expect.stringMatching(/^\w{32}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: "http://localhost:3000/device",
      verification_uri_complete: `http://localhost:3000/device?user_code=${login.user_code}`,
      interval: 5,
      expires_in: 600,
    });
    const rows = await inspect<{ row: string }>("SELECT device_logins::text AS row FROM device_logins");
    const kept = rows.map(({ row }) => row).join();
    for (const secret of [login.device_code, login.user_code, login.user_code.replace("-", "")])
      for (const form of [secret, Buffer.from(secret).toString("hex")]) expect(kept).not.toContain(form);
  });

  test("that is approved gives one key of the person, the workspace and the machine, once", async () => {
    const owner = await founder();
    const login = await start({ host: "ada-laptop" });
    expect(await poll(login)).toEqual({ status: "pending" });
    const { user_code } = login;
    const page = await getDeviceLogin.execute(owner.visitor, { user_code: user_code.toLowerCase().replace("-", " ") });
    expect(page).toEqual({
      login: {
        user_code,
        status: "pending",
        host: "ada-laptop",
        client: "rapport-cli/0.2.0",
        ip: expect.stringContaining("203.0.113."),
        scopes: ["read", "write"],
        started_at: expect.any(String),
        expires_at: expect.any(String),
      },
      workspaces: [
        { id: owner.workspaceId, name: expect.any(String), role: "owner", scopes: ["read", "write", "admin"] },
      ],
    });
    await approveDeviceLogin.execute(owner.visitor, { user_code, workspace_id: owner.workspaceId, scopes: ["read"] });
    const first = await poll(login);
    expect(first).toEqual({
      status: "approved",
      api_key: expect.stringMatching(/^rpt_/),
      workspace_id: owner.workspaceId,
    });
    expect(await poll(login)).toEqual({ status: "consumed" });
    if (first.status !== "approved") throw new Error("not approved");
    const grant = await authenticateKey(`Bearer ${first.api_key}`, "127.0.0.1");
    expect(grant).toMatchObject({ workspaceId: owner.workspaceId, scopes: ["read"], expiresAt: null });
    const { keys } = await listApiKeys.execute(owner.caller, {});
    expect(keys.map(({ name }) => name)).toEqual(["rapport login on ada-laptop"]);
    const [{ by } = { by: "" }] = await inspect<{ by: string }>("SELECT created_by AS by FROM api_keys WHERE id = $1", [
      grant.keyId,
    ]);
    expect(by).toBe(`user:${owner.userId}`);
    const audit = await inspect<{ action: string; actor: string; client: string | null; detail: object }>(
      "SELECT action, actor, client, detail FROM audit_log WHERE workspace_id = $1 AND action ~ 'device|api_key' ORDER BY at, id",
      [owner.workspaceId],
    );
    const actor = `user:${owner.userId}`;
    expect(audit).toMatchObject([
      { action: "device_login.approved", actor, detail: { host: "ada-laptop", scopes: ["read"] } },
      { action: "api_key.minted", actor, client: "rapport-cli/0.2.0", detail: { scopes: ["read"] } },
    ]);
    expect(JSON.stringify(audit)).not.toContain(first.api_key);
  });

  test("polled by several at once mints one key", async () => {
    const owner = await founder();
    const login = await approved(owner, owner.workspaceId);
    const answers = await Promise.all(Array.from({ length: 6 }, () => poll(login)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["approved", ...Array(5).fill("consumed")]);
    expect((await listApiKeys.execute(owner.caller, {})).keys).toHaveLength(1);
  });

  test("is decided once, however many try at once", async () => {
    const [one, two] = [await founder(), await founder()];
    const { user_code } = await start();
    const tries = await Promise.allSettled([
      approveDeviceLogin.execute(one.visitor, { user_code, workspace_id: one.workspaceId }),
      approveDeviceLogin.execute(two.visitor, { user_code, workspace_id: two.workspaceId }),
      denyDeviceLogin.execute(two.visitor, { user_code }),
    ]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(tries.flatMap((each) => (each.status === "rejected" ? [code(each.reason)] : []))).toEqual([
      "login_decided",
      "login_decided",
    ]);
  });

  test("that is denied gives nothing", async () => {
    const owner = await founder();
    const login = await start();
    const denied = await denyDeviceLogin.execute(owner.visitor, { user_code: login.user_code });
    expect(denied.login.status).toBe("denied");
    expect(await poll(login)).toEqual({ status: "denied" });
    expect((await listApiKeys.execute(owner.caller, {})).keys).toEqual([]);
  });

  test("expires after ten minutes, approved or not, and is swept a day later", async () => {
    const owner = await founder();
    const [pending, ready] = [await start(), await approved(owner, owner.workspaceId)];
    await inspect("UPDATE device_logins SET expires_at = now()");
    for (const login of [pending, ready]) expect(await poll(login)).toEqual({ status: "expired" });
    const late = approveDeviceLogin.execute(owner.visitor, {
      user_code: pending.user_code,
      workspace_id: owner.workspaceId,
    });
    await expect(late).rejects.toMatchObject({ code: "login_decided", extras: { status: "expired" } });
    expect((await listApiKeys.execute(owner.caller, {})).keys).toEqual([]);

    const fresh = await start();
    await inspect("UPDATE device_logins SET expires_at = now() - interval '25 hours' WHERE expires_at <= now()");
    for (const schedule of schedules) await schedule.run(new AbortController().signal);
    await expect(poll(pending)).rejects.toMatchObject({ code: "login_not_found" });
    expect(await poll(fresh)).toEqual({ status: "pending" });
  });
});

describe("a poll that comes too early", () => {
  test("is told to slow down, each time by five seconds more, and gets the key at once when there is one", async () => {
    const owner = await founder();
    const login = await start({ host: "hasty" });
    expect(await poll(login)).toEqual({ status: "pending" });
    for (const interval of [10, 15])
      await expect(poll(login)).rejects.toMatchObject({
        code: "slow_down",
        status: 429,
        extras: { status: "pending", interval, retry_after: interval },
      });
    await wait({ user_code: "hasty" });
    expect(await poll(login)).toEqual({ status: "pending" });
    const { user_code } = login;
    await approveDeviceLogin.execute(owner.visitor, { user_code, workspace_id: owner.workspaceId });
    expect(await poll(login)).toMatchObject({ status: "approved" });
  });
});

describe("who approves", () => {
  test("gives no more than their role has, and only to their own workspaces", async () => {
    const [owner, other] = [await founder(), await founder()];
    const member = await joined(owner, "member");
    const { user_code } = await start();
    const ask = (workspace_id: string, scopes?: ("read" | "write" | "admin")[]) =>
      approveDeviceLogin.execute(member.visitor, { user_code, workspace_id, ...(scopes ? { scopes } : {}) });
    await expect(ask(owner.workspaceId, ["read", "admin"])).rejects.toMatchObject({ code: "role_required" });
    await expect(ask(other.workspaceId)).rejects.toMatchObject({ code: "workspace_not_found" });
    await expect(ask(newId())).rejects.toMatchObject({ code: "workspace_not_found" });
    expect((await ask(owner.workspaceId)).login.status).toBe("approved");
  });

  test("and was removed before the poll gives no key", async () => {
    const owner = await founder();
    const member = await joined(owner, "member");
    const login = await approved(member, owner.workspaceId);
    await removeMember.execute(owner.caller, { id: member.memberId });
    expect(await poll(login)).toEqual({ status: "denied" });
    expect(await poll(login)).toEqual({ status: "denied" });
    expect((await listApiKeys.execute(owner.caller, {})).keys).toEqual([]);
  });

  test("and is no administrator any more gives what is left", async () => {
    const owner = await founder();
    const admin = await joined(owner, "admin");
    const login = await start();
    await approveDeviceLogin.execute(admin.visitor, {
      user_code: login.user_code,
      workspace_id: owner.workspaceId,
      scopes: ["read", "admin"],
    });
    await changeRole.execute(owner.caller, { id: admin.memberId, role: "member" });
    const answer = await poll(login);
    if (answer.status !== "approved") throw new Error(answer.status);
    expect((await authenticateKey(`Bearer ${answer.api_key}`, "127.0.0.1")).scopes).toEqual(["read"]);
  });

  test("and is a viewer gives a key that reads, whatever was approved before", async () => {
    const owner = await founder();
    const viewer = await joined(owner, "viewer");
    const { user_code } = await start();
    const writing = { user_code, workspace_id: owner.workspaceId, scopes: ["read", "write"] as ("read" | "write")[] };
    await expect(approveDeviceLogin.execute(viewer.visitor, writing)).rejects.toMatchObject({
      code: "role_required",
      extras: { required_role: "member" },
    });

    const member = await joined(owner, "member");
    const login = await approved(member, owner.workspaceId);
    const answer = await poll(login);
    if (answer.status !== "approved") throw new Error(answer.status);
    const scopes = async () => (await authenticateKey(`Bearer ${answer.api_key}`, "127.0.0.1")).scopes;
    expect(await scopes()).toEqual(["read", "write"]);
    await changeRole.execute(owner.caller, { id: member.memberId, role: "viewer" });
    expect(await scopes()).toEqual(["read"]);
  });

  test("and whose workspace was deleted gives no key", async () => {
    const owner = await founder();
    const login = await approved(owner, owner.workspaceId);
    const [{ name } = { name: "" }] = await inspect<{ name: string }>("SELECT name FROM workspaces WHERE id = $1", [
      owner.workspaceId,
    ]);
    await deleteWorkspace.execute(owner.caller, { confirm: name });
    expect(await poll(login)).toEqual({ status: "denied" });
  });

  test("removed while the poll runs: a key with their name is minted before, or not at all", async () => {
    const owner = await founder();
    for (let round = 0; round < 8; round++) {
      const member = await joined(owner, "member");
      const login = await approved(member, owner.workspaceId);
      const before = (await listApiKeys.execute(owner.caller, {})).keys.length;
      const [answer] = await Promise.all([poll(login), removeMember.execute(owner.caller, { id: member.memberId })]);
      const minted = (await listApiKeys.execute(owner.caller, {})).keys.length - before;
      expect(minted).toBe(answer.status === "approved" ? 1 : 0);
      const order = await inspect<{ action: string }>(
        "SELECT action FROM audit_log WHERE workspace_id = $1 AND action IN ('api_key.minted', 'member.removed') ORDER BY at DESC, id DESC LIMIT 2",
        [owner.workspaceId],
      );
      if (minted === 0) expect(order[0]?.action).toBe("member.removed");
    }
  });
});

describe("two tenants", () => {
  test("get the keys of their own logins, side by side", async () => {
    const owners = [await founder(), await founder()];
    const logins = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const owner = owners[index % 2] as (typeof owners)[number];
        return approved(owner, owner.workspaceId);
      }),
    );
    const answers = await Promise.all(logins.map(poll));
    for (const [index, answer] of answers.entries()) {
      const { workspaceId } = owners[index % 2] as (typeof owners)[number];
      if (answer.status !== "approved") throw new Error(answer.status);
      expect(answer.workspace_id).toBe(workspaceId);
      expect((await authenticateKey(`Bearer ${answer.api_key}`, "127.0.0.1")).workspaceId).toBe(workspaceId);
    }
    for (const owner of owners) expect((await listApiKeys.execute(owner.caller, {})).keys).toHaveLength(4);
  });
});

describe("guessing", () => {
  test("codes on the page is slowed down, right ones are not counted", async () => {
    const owner = await founder();
    const { user_code } = await start();
    for (let round = 0; round < 25; round++) await getDeviceLogin.execute(owner.visitor, { user_code });
    const codes: unknown[] = [];
    for (let round = 0; round < 22; round++)
      codes.push(await getDeviceLogin.execute(owner.visitor, { user_code: "BBBB-BBBB" }).catch(code));
    expect(codes.slice(0, 20)).toEqual(Array(20).fill("login_not_found"));
    expect(codes.slice(20)).toEqual(["rate_limited", "rate_limited"]);
    // from another address too: the person is counted as well
    const elsewhere = { ...owner.visitor, ip: address() };
    await expect(getDeviceLogin.execute(elsewhere, { user_code })).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("of starts from one address are limited", async () => {
    const here = program();
    const tries = await Promise.allSettled(Array.from({ length: 101 }, () => startDeviceLogin.execute(here, {})));
    expect(tries.flatMap((each) => (each.status === "rejected" ? [code(each.reason)] : []))).toEqual(["rate_limited"]);
  });

  test("nonsense for a code is no login", async () => {
    const owner = await founder();
    for (const user_code of ["", "AEIO-UAEI", "12345678", "BCDF-GHJ", "BCDF-GHJK-L"])
      await expect(getDeviceLogin.execute(owner.visitor, { user_code })).rejects.toMatchObject({
        code: "login_not_found",
      });
    await expect(poll({ device_code: "x".repeat(32) })).rejects.toMatchObject({ code: "login_not_found" });
  });
});

describe("signing out", () => {
  test("revokes the key that is sent, for its next request, and no other", async () => {
    const owner = await founder();
    const keys: string[] = [];
    for (const _ of [1, 2]) {
      const answer = await poll(await approved(owner, owner.workspaceId));
      if (answer.status === "approved") keys.push(answer.api_key);
    }
    const [one = "", two = ""] = keys;
    await authenticateKey(`Bearer ${one}`, "127.0.0.1");
    const both = await Promise.all([1, 2].map(() => revokePresentedKey.execute(program(), { api_key: one })));
    expect(both.map(({ revoked }) => revoked).toSorted()).toEqual([false, true]);
    await expect(authenticateKey(`Bearer ${one}`, "127.0.0.1")).rejects.toMatchObject({ code: "unauthorized" });
    await authenticateKey(`Bearer ${two}`, "127.0.0.1");
    const audit = await inspect<{ actor: string }>(
      "SELECT actor FROM audit_log WHERE workspace_id = $1 AND action = 'api_key.revoked'",
      [owner.workspaceId],
    );
    expect(audit).toEqual([{ actor: expect.stringMatching(/^api_key:/) }]);
    expect(await revokePresentedKey.execute(program(), { api_key: "rpt_nonsense" })).toEqual({ revoked: false });
  });
});

describe("the key of a login ends with its person's membership", () => {
  const signIn = async (person: Parameters<typeof approved>[0], workspaceId: string): Promise<string> => {
    const answer = await poll(await approved(person, workspaceId));
    if (answer.status !== "approved") throw new Error("not approved");
    return answer.api_key;
  };
  const use = (key: string) => authenticateKey(`Bearer ${key}`, "127.0.0.1");
  const listed = async ({ caller }: Awaited<ReturnType<typeof founder>>) =>
    (await listApiKeys.execute(caller, {})).keys.map(({ name, status }) => [name, status]);

  test("when they are removed: at once, in the cache too, and without the keys of the API keys page", async () => {
    const owner = await founder();
    const admin = await joined(owner, "admin");
    const other = await joined(owner, "member");
    const [key, others] = [await signIn(admin, owner.workspaceId), await signIn(other, owner.workspaceId)];
    const adminCaller = callerFor(admin.visitor.session, owner.workspaceId, newId()) as Caller;
    const minted = await mintApiKey.execute(adminCaller, { name: "CI", scopes: ["read"] });
    for (const held of [key, others, minted.api_key]) await use(held);
    await removeMember.execute(owner.caller, { id: admin.memberId });
    await expect(use(key)).rejects.toMatchObject({ code: "unauthorized" });
    for (const held of [others, minted.api_key]) await use(held);
    expect(await listed(owner)).toEqual([
      ["CI", "active"],
      ["rapport login on ada-laptop", "active"],
      ["rapport login on ada-laptop", "revoked"],
    ]);
    const told = await inspect("SELECT action, detail FROM audit_log WHERE workspace_id = $1 AND action = $2", [
      owner.workspaceId,
      "api_key.revoked",
    ]);
    expect(told).toEqual([{ action: "api_key.revoked", detail: { name: "rapport login on ada-laptop" } }]);
  });

  test("and the key that replaced it ends too", async () => {
    const owner = await founder();
    const member = await joined(owner, "member");
    const { keyId } = await use(await signIn(member, owner.workspaceId));
    const rotated = await rotateApiKey.execute(owner.caller, { id: keyId, overlap_hours: 1 });
    await use(rotated.api_key);
    await removeMember.execute(owner.caller, { id: member.memberId });
    await expect(use(rotated.api_key)).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("and does not come back with a new invitation", async () => {
    const owner = await founder();
    const member = await joined(owner, "member");
    const key = await signIn(member, owner.workspaceId);
    await removeMember.execute(owner.caller, { id: member.memberId });
    const { link } = await invite.execute(owner.caller, { role: "member" });
    await acceptInvitation.execute(member.visitor, { token: link.split("/").at(-1) as string });
    await expect(use(key)).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("when an operator deletes the user in the database", async () => {
    const owner = await founder();
    const member = await joined(owner, "member");
    const key = await signIn(member, owner.workspaceId);
    await inspect("DELETE FROM members WHERE user_id = $1", [member.userId]);
    await expect(use(key)).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("and allows no more than their role, from the moment it changes", async () => {
    const owner = await founder();
    const admin = await joined(owner, "admin");
    const { user_code, device_code } = await start({ scopes: ["read", "admin"] });
    await approveDeviceLogin.execute(admin.visitor, {
      user_code,
      workspace_id: owner.workspaceId,
      scopes: ["read", "admin"],
    });
    const answer = await poll({ device_code });
    if (answer.status !== "approved") throw new Error("not approved");
    expect((await use(answer.api_key)).scopes).toEqual(["read", "admin"]);
    await changeRole.execute(owner.caller, { id: admin.memberId, role: "member" });
    expect((await use(answer.api_key)).scopes).toEqual(["read"]);
  });
});
