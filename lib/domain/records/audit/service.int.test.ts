import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { noteAbilities, ofOneMachine, ofSeveralMachines } from "#lib/db/distributed/abilities.ts";
import { getPool } from "#lib/db/pool.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { acceptInvitation, invite } from "#lib/domain/access/members/service.ts";
import { confirmIdentity } from "#lib/domain/access/second-factor/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { mergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { changePassword, revokeSession, signUp } from "#lib/domain/workspace/users/service.ts";
import { isProven, readSignature, standardWebhooks } from "#lib/settings/webhook-signatures.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import { answers, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { digestsOf, hashOf, type SealedEntry } from "./rules.ts";
import { pushNext } from "./service/push.ts";
import { sealNext } from "./service/seal.ts";
import { trimLog } from "./service/trim.ts";
import { listAudit, notingSignIns, recordAudit, verifyChain } from "./service.ts";

const { call, url } = useServer();
const written = useLog();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Workspace = Awaited<ReturnType<typeof createTestWorkspace>>;

const note = (workspace: Workspace, action: string, subject: string, at: string) =>
  withWorkspace(workspace.id, async (db) => {
    const { type, id } = workspace.caller.actor;
    const data = { id: newId(), at, actor: subject === "b" ? "cli:root" : `${type}:${id}`, action, subject };
    await db.prisma.auditEntry.create({ data, select: { id: true } });
  });

/** What a workspace's log has, the latest first, once nothing more is under way. */
async function logOf(workspace: Workspace, input: object = {}) {
  await backgroundDone();
  return (await listAudit.execute(workspace.caller, input)).entries;
}

let people = 0;

/** A person with a workspace of their own who has joined another. */
async function memberOf(workspace: Workspace) {
  const email = `member${++people}@acme.example`;
  const password = "correct horse battery";
  const { user_id: userId } = await signUp.execute(stranger("203.0.113.9"), { email, password, workspace_name: "Own" });
  const { link } = await invite.execute(workspace.caller, { role: "member" });
  await acceptInvitation.execute(await signedIn(userId), { token: link.slice(link.lastIndexOf("/") + 1) });
  return { userId, email, password };
}

const seal = async ({ id }: Workspace) => {
  let left = await sealNext(id);
  // Transactions of other databases of the server count too, so it may have to wait.
  while (left !== "done") {
    if (left !== "more") await new Promise((resolve) => setTimeout(resolve, 20));
    left = await sealNext(id);
  }
  return left;
};
/** As the database's owner, with the triggers that refuse changes switched off. */
const tamper = (text: string) =>
  inspect(`SET session_replication_role = replica; ${text}; SET session_replication_role = DEFAULT`);

async function sealed(count: number) {
  const workspace = await createTestWorkspace();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    await note(workspace, "member.left", String(n), `2026-06-01T10:00:0${n}Z`);
    await seal(workspace);
    const [entry] = await logOf(workspace, { limit: 1 });
    ids.push(entry?.id ?? "");
  }
  return { workspace, ids };
}

describe("what concerns a sign-in", () => {
  beforeAll(() => bootWith({ SIGNUPS: "open" }));
  afterAll(() => bootWith());

  test("with an address of no account is a line of the server's log, which does not tell the address", async () => {
    notingSignIns({ ip: "2001:db8:1:2:3::7", requestId: "a-request" }).refused(
      { email: "Nobody@acme.example" },
      "password",
    );
    await backgroundDone();
    const lines = written.lines().filter(({ msg }) => msg.startsWith("a sign-in was refused"));
    expect(lines).toMatchObject([
      { request_id: "a-request", email_hash: sha256("nobody@acme.example").slice(0, 16), network: "2001:db8:1:2::/64" },
    ]);
    expect(written.text().toLowerCase()).not.toContain("nobody");
  });

  test("and is refused before its account is known is a line of the server's log", () => {
    notingSignIns({ ip: "198.51.100.7", requestId: "a-request" }).refusedUnknown({
      provider: "google",
      code: "signups_closed",
    });
    expect(written.lines()).toMatchObject([
      { request_id: "a-request", network: "198.51.100.7", provider: "google", code: "signups_closed" },
    ]);
  });

  test("is noted when a person who is signed in gives a wrong password, and not for what else is refused", async () => {
    const workspace = await createTestWorkspace();
    const { userId, email, password } = await memberOf(workspace);
    const here = await signedIn(userId, "198.51.100.7");
    await expect(confirmIdentity.execute(here, { password: "a wrong password" })).rejects.toThrow();
    await backgroundDone();
    const change = { current_password: "a wrong password", password: "another horse battery" };
    await expect(changePassword.execute(here, change)).rejects.toThrow();
    await backgroundDone();
    await expect(changePassword.execute(here, { ...change, password: "short" })).rejects.toThrow();
    await confirmIdentity.execute(here, { password });
    await backgroundDone();
    const entries = await logOf(workspace, { action: ["user"] });
    const entry = { action: "user.confirmation_refused", ip: "198.51.100.7", detail: { email, with: "password" } };
    expect(entries).toMatchObject([entry, entry]);
  });

  test("is noted in every workspace of the person, with address and request, and for strangers in none", async () => {
    const [workspace, other] = [await createTestWorkspace(), await createTestWorkspace()];
    const { userId, email, password } = await memberOf(workspace);
    const from = { ip: "198.51.100.7", requestId: "a-request" };
    notingSignIns(from).refused({ email: ` ${email.toUpperCase()}` }, "password");
    notingSignIns(from).refused({ email: "nobody@acme.example" }, "password");
    await backgroundDone();
    notingSignIns(from).refused({ userId }, "passkey");
    await backgroundDone();
    notingSignIns(from).signedIn(userId, "password");
    await backgroundDone();
    const here = await signedIn(userId, "198.51.100.7");
    await changePassword.execute(here, { current_password: password, password: "another horse battery" });
    await backgroundDone();
    await signedIn(userId);
    await revokeSession.execute(here, { id: "others" });
    await backgroundDone();
    notingSignIns(from).signedOut(userId);
    await backgroundDone();
    const entries = await logOf(workspace);
    expect(entries.map(({ action, ip, detail }) => [action, ip, detail])).toEqual([
      ["user.signed_out", "198.51.100.7", { email }],
      ["user.sessions_ended", "198.51.100.7", { email, ended_sessions: 1 }],
      ["user.password_changed", "198.51.100.7", { email, by: "password" }],
      ["user.signed_in", "198.51.100.7", { email, with: "password" }],
      ["user.sign_in_refused", "198.51.100.7", { email, with: "passkey" }],
      ["user.sign_in_refused", "198.51.100.7", { email, with: "password" }],
      ["member.joined", "192.0.2.1", expect.objectContaining({ email, role: "member" })],
      ["invitation.created", null, { email: null, role: "member" }],
    ]);
    expect(entries[3]).toMatchObject({ actor: { type: "user", id: userId, name: email }, request_id: "a-request" });
    expect(await logOf(other)).toEqual([]);
  });
});

test("a merge is noted by the ids of the two, with the address and the key of the request", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const add = async (email: string) => (await upsertPerson.execute(workspace.caller, { email })).person.id;
  const [keep, drop] = [await add("anna@acme.com"), await add("anna@gmail.com")];
  const { body } = await call("/v2/accounts/merge", { key, body: { keep, drop } });
  await call("/v2/accounts/unmerge", { key, body: { merge_id: body.merge_id } });
  const detail = { type: "person", other_id: drop, merge_id: body.merge_id };
  const by = { actor: { type: "api_key", name: "test" }, ip: "127.0.0.1", subject: keep, detail };
  expect(await logOf(workspace)).toMatchObject([
    { action: "record.separated", ...by },
    { action: "record.merged", ...by },
  ]);
  await expect(mergeAccounts.execute(workspace.caller, { keep, drop: keep })).rejects.toMatchObject({
    code: "cannot_merge",
  });
  expect(await logOf(workspace)).toHaveLength(2);
});

describe("the list", () => {
  test("is filtered by action, noun, actor, subject and time, and pages within the filter", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    await note(workspace, "member.removed", "a", "2026-06-01T10:00:00Z");
    await note(workspace, "member.left", "b", "2026-06-02T10:00:00Z");
    await note(workspace, "members_of.left", "c", "2026-06-03T10:00:00Z");
    const found = async (query: string) => {
      const { body } = await call(`/v2/audit-log?${query}`, { key });
      return (body.entries as { subject: string }[]).map(({ subject }) => subject).join("");
    };
    expect(await found("action=member")).toBe("ba");
    expect(await found("action=member.left,members_of")).toBe("cb");
    expect(await found("actor=cli")).toBe("b");
    expect(await found("actor=cli:root")).toBe("b");
    expect(await found(`actor=api_key:${workspace.caller.actor.id}`)).toBe("ca");
    expect(await found("subject=c&action=member")).toBe("");
    expect(await found("from=2026-06-02&to=2026-06-02")).toBe("b");
    const { body } = await call("/v2/audit-log?action=member&limit=1", { key });
    expect(await found(`action=member&limit=1&cursor=${body.next_cursor}`)).toBe("a");
    const refused = await call("/v2/audit-log?actor=root", { key });
    expect(refused).toMatchObject({ status: 400, body: { parameter: "actor" } });
    expect((await call("/v2/audit-log", { key: await workspace.key(["write"]) })).status).toBe(403);
  });

  test("is streamed as lines, and the log says who took it", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    for (const day of [1, 2, 3]) await note(workspace, "member.left", String(day), `2026-06-0${day}T10:00:00Z`);
    const answer = await fetch(`${url()}/v2/audit-log?action=member&format=ndjson&limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const lines = (await answer.text()).trimEnd().split("\n");
    expect(answer.headers.get("content-type")).toContain("application/x-ndjson");
    expect(lines.map((line) => JSON.parse(line).subject)).toEqual(["3", "2", "1"]);
    expect(await logOf(workspace, { limit: 1 })).toMatchObject([
      { action: "audit_log.exported", detail: { action: ["member"] } },
    ]);
  });
});

describe("the chain", () => {
  test("leaves what an older transaction may still come before, and seals it once that has ended", async () => {
    const { workspace } = await sealed(1);
    await withWorkspace(workspace.id, async (db) => {
      await recordAudit({ ...workspace.caller, db }, "member.left", "slow");
      await note(workspace, "member.left", "quick", "2026-06-01T10:00:09Z");
      expect(await sealNext(workspace.id)).toEqual({ waitMs: expect.any(Number) });
      expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 1, entries: 1, unsealed: 1, problem: null });
    });
    expect(await seal(workspace)).toBe("done");
    expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 2, entries: 3, unsealed: 0, problem: null });
  });

  test("is one when two seal at once", async () => {
    const { workspace } = await sealed(1);
    for (let n = 0; n < 5; n++) await note(workspace, "member.left", `${n}`, `2026-06-01T11:00:0${n}Z`);
    await together([sealNext(workspace.id), sealNext(workspace.id), sealNext(workspace.id)]);
    await seal(workspace);
    expect(await verifyChain(workspace.id)).toMatchObject({ entries: 6, problem: null });
  });

  test("names the entry that the superuser changed", async () => {
    const { workspace, ids } = await sealed(3);
    const whole = await verifyChain(workspace.id);
    expect(whole).toMatchObject({ blocks: 3, entries: 3, unsealed: 0, problem: null });
    expect(await verifyChain(workspace.id, whole.head?.hash)).toMatchObject({ holds: true });
    await tamper(`UPDATE audit_log SET actor = 'user:somebody' WHERE id = '${ids[1]}'`);
    expect((await verifyChain(workspace.id)).problem).toEqual({
      block: 2,
      entry_id: ids[1],
      what: `Entry ${ids[1]} of block 2 was changed.`,
    });
  });

  test("names the entry that the superuser deleted, and the block, and what was put in between", async () => {
    const { workspace, ids } = await sealed(3);
    await tamper(`DELETE FROM audit_log WHERE id = '${ids[2]}'`);
    expect((await verifyChain(workspace.id)).problem).toMatchObject({ block: 3, entry_id: ids[2] });
    await tamper(`DELETE FROM audit_blocks WHERE workspace_id = '${workspace.id}' AND number = 2`);
    expect((await verifyChain(workspace.id)).problem).toMatchObject({ block: 3, what: "The block 2 is missing." });
    const { workspace: other, ids: others } = await sealed(2);
    await tamper(
      `INSERT INTO audit_log (workspace_id, id, actor, action, written_in) SELECT workspace_id, gen_random_uuid(), actor, 'x.y', written_in - 1 FROM audit_log WHERE id = '${others[1]}'`,
    );
    expect((await verifyChain(other.id)).problem).toMatchObject({ what: expect.stringContaining("was added") });
  });
});

describe("the chain where transactions have no order, on several machines", () => {
  beforeAll(async () => {
    await getPool();
    noteAbilities(ofSeveralMachines);
  });
  afterAll(() => noteAbilities(ofOneMachine));

  test("names its entries, takes one that comes late with the next block, and is one when two seal at once", async () => {
    const { workspace } = await sealed(3);
    expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 3, entries: 3, unsealed: 0, problem: null });
    await note(workspace, "member.left", "late", "2026-06-01T09:00:00Z");
    for (let n = 0; n < 5; n++) await note(workspace, "member.left", `${n}`, `2026-06-01T11:00:0${n}Z`);
    expect(await verifyChain(workspace.id)).toMatchObject({ entries: 3, unsealed: 6, problem: null });
    await together([sealNext(workspace.id), sealNext(workspace.id), sealNext(workspace.id)]);
    expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 4, entries: 9, unsealed: 0, problem: null });
    expect(await sealNext(workspace.id)).toBe("done");
  });

  test("goes on from a chain that began on one machine", async () => {
    noteAbilities(ofOneMachine);
    const { workspace } = await sealed(2);
    noteAbilities(ofSeveralMachines);
    await note(workspace, "member.left", "later", "2026-06-01T12:00:00Z");
    await seal(workspace);
    expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 3, entries: 3, unsealed: 0, problem: null });
  });

  test("goes on when the database is one machine again, names what is changed, and is removed when it is old", async () => {
    const [{ workspace }, { workspace: other, ids }] = [await sealed(2), await sealed(2)];
    noteAbilities(ofOneMachine);
    try {
      await note(workspace, "member.left", "back", "2026-06-01T12:00:00Z");
      await seal(workspace);
      expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 3, entries: 3, unsealed: 0, problem: null });
      expect(await sealNext(workspace.id)).toBe("done");
      await note(workspace, "member.left", "later", "2026-06-02T12:00:00Z");
      await seal(workspace);
      expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 4, entries: 4, problem: null });
      bootWith({ AUDIT_RETENTION_DAYS: "30" });
      expect(await trimLog(workspace.id, new Date(Date.parse("2026-06-01T13:00:00Z") + 30 * DAY_MS))).toBe(false);
      bootWith();
      await seal(workspace);
      expect(await verifyChain(workspace.id)).toMatchObject({ blocks: 2, entries: 2, problem: null });
      await tamper(`UPDATE audit_log SET actor = 'user:x' WHERE id = '${ids[0]}'`);
      expect((await verifyChain(other.id)).problem?.what).toContain("of block 1 was changed");
    } finally {
      bootWith();
      noteAbilities(ofSeveralMachines);
    }
  });

  test.each<[string, (ids: readonly string[]) => string, string]>([
    ["changed", ([, id]) => `UPDATE audit_log SET actor = 'user:x' WHERE id = '${id}'`, "of block 2 was changed"],
    ["deleted", ([, id]) => `DELETE FROM audit_log WHERE id = '${id}'`, "of block 2 is missing"],
    [
      "put in between",
      ([id]) =>
        `INSERT INTO audit_log (workspace_id, id, actor, action, at) SELECT workspace_id, gen_random_uuid(), actor, 'x.y', at - interval '2 days' FROM audit_log WHERE id = '${id}'`,
      "was added behind the time of block 3",
    ],
  ])("names the entry that the superuser %s", async (_what, statement, told) => {
    const { workspace, ids } = await sealed(3);
    await tamper(statement(ids));
    expect((await verifyChain(workspace.id)).problem?.what).toContain(told);
    // It is not sealed as if it had been there.
    await seal(workspace);
    expect((await verifyChain(workspace.id)).problem?.what).toContain(told);
  });

  test("holds from the first block that is kept when old ones are removed", async () => {
    bootWith({ AUDIT_RETENTION_DAYS: "30" });
    const { workspace } = await sealed(3);
    expect(await trimLog(workspace.id, new Date(Date.parse("2026-06-01T10:00:00Z") + 31 * DAY_MS))).toBe(false);
    await seal(workspace);
    expect(await verifyChain(workspace.id)).toMatchObject({
      blocks: 2,
      entries: 2,
      head: { number: 4 },
      problem: null,
    });
    bootWith();
  });
});

describe("retention", () => {
  test("removes whole old blocks, leaves the last one, and the chain holds from the first that is kept", async () => {
    bootWith({ AUDIT_RETENTION_DAYS: "30" });
    const { workspace, ids } = await sealed(3);
    const at = (days: number) => new Date(Date.parse("2026-06-01T10:00:00Z") + days * DAY_MS);
    expect(await trimLog(workspace.id, at(29))).toBe(false);
    expect(await logOf(workspace)).toHaveLength(3);
    expect(await trimLog(workspace.id, at(31))).toBe(false);
    const entries = await logOf(workspace);
    expect(entries).toMatchObject([
      { action: "audit_log.trimmed", detail: { entries: 2, kept_from: 3 } },
      { id: ids[2] },
    ]);
    await seal(workspace);
    expect(await verifyChain(workspace.id)).toMatchObject({
      blocks: 2,
      entries: 2,
      head: { number: 4 },
      problem: null,
    });
    await tamper(`DELETE FROM audit_log WHERE workspace_id = '${workspace.id}' AND action = 'audit_log.trimmed'`);
    expect((await verifyChain(workspace.id)).problem).toMatchObject({ what: "The blocks 1 to 2 are missing." });
  });
});

describe("what is sent elsewhere", () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const running = new AbortController().signal;
  let target: WebhookTarget;
  beforeAll(async () => {
    target = await new WebhookTarget().start();
  });
  afterAll(() => target.stop());
  beforeEach(() => {
    target.received.splice(0);
    target.accept();
    bootWith({ AUDIT_PUSH_URL: target.url(), AUDIT_PUSH_SECRET: secret, AUDIT_RETENTION_DAYS: "1" });
  });

  /** Jobs send those of other tests' workspaces meanwhile. */
  const receivedOf = ({ id }: Workspace) =>
    target.received.filter(({ body }) => (body.data as { workspace_id: string }).workspace_id === id);

  test("is every block in order, signed, with entries that have the hash of the chain", async () => {
    const { workspace, ids } = await sealed(2);
    expect(await pushNext(workspace.id, running)).toBe("more");
    expect(await pushNext(workspace.id, running)).toBe("more");
    expect(await pushNext(workspace.id, running)).toBe("done");
    const sent = receivedOf(workspace).map(
      ({ body }) => body.data as { previous: string; hash: string; entries: SealedEntry[] },
    );
    expect(sent.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(ids);
    for (const { previous, hash, entries } of sent)
      expect(hashOf(Buffer.from(previous, "hex"), digestsOf(entries)).toString("hex")).toBe(hash);
    expect(sent[1]?.previous).toBe(sent[0]?.hash);
    const [first] = receivedOf(workspace);
    const signature = readSignature(standardWebhooks, secret, (name) => first?.headers[name] as string);
    expect(typeof signature === "object" && isProven(signature, Buffer.from(first?.raw ?? ""))).toBe(true);
  });

  test("is sent again under the same id after a kill or a refusal, before what follows, and is not removed meanwhile", async () => {
    const { workspace } = await sealed(3);
    const killed = new AbortController();
    target.behave = () => killed.abort();
    expect(await pushNext(workspace.id, killed.signal)).toBe("more");
    target.behave = answers(503);
    expect(await pushNext(workspace.id, running)).toEqual({ waitMs: 5_000 });
    expect(await pushNext(workspace.id, running)).toEqual({ waitMs: expect.any(Number) });
    await trimLog(workspace.id);
    target.accept();
    await inspect("UPDATE audit_pushes SET next_at = now() WHERE workspace_id = $1", [workspace.id]);
    while ((await pushNext(workspace.id, running)) === "more");
    expect(receivedOf(workspace).map(({ id }) => id.slice(-1))).toEqual(["1", "1", "1", "2", "3"]);
    await trimLog(workspace.id);
    expect(await logOf(workspace)).toMatchObject([{ action: "audit_log.trimmed", detail: { kept_from: 3 } }, {}]);
  });
});
