/** Clients whose member asked them to change nothing without approval. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { lock } from "#lib/db/locks.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { join, oauthClient, REDIRECT } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

/** Less than the five seconds that a grant is kept: what is noticed sooner was notified. */
const SOON_MS = 4_000;

bootWith({ SIGNUPS: "open" });
const server = useServer();
const { ask, connect, decide, exchange, form, refresh, registered, requestFor, send, verifier } = oauthClient(
  server.url,
);

type Person = Awaited<ReturnType<typeof signedInBrowser>>;
let ada: Person;
beforeAll(async () => {
  ada = await signedInBrowser(server.url());
});
beforeEach(() => inspect("DELETE FROM throttles"));

/** What a person sends to an operation of a workspace, their own unless another is named. */
const by = (person: Person, workspaceId = person.workspaceId) => {
  const to = (method: string, path: string, body?: object) =>
    send(`/api/app/${workspaceId}${path}`, {
      method,
      headers: { ...person.headers(), ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  return {
    to,
    approve: (id: string) => to("POST", `/approvals/${id}/approve`, {}),
    seen: async (id: string) => (await to("GET", `/v2/approvals/${id}`)).body,
    disconnect: (id: string) => to("POST", `/connected-clients/${id}/revoke`, {}),
    change: (id: string, approval: string) => to("PATCH", `/connected-clients/${id}`, { approval }),
    clients: async () =>
      (await to("GET", "/connected-clients")).body.clients as { id: string; mine: boolean; approval: string }[],
  };
};

const careful = { approval: "writes" };

type ToolAnswer = { status?: string; approval_id?: string; [name: string]: unknown };

/** Calls a tool and gives its structured answer. */
async function use(
  token: string,
  name: string,
  given: object,
): Promise<{ status: number; given: ToolAnswer; text: string }> {
  const { status, text } = await ask(token, { method: "tools/call", params: { name, arguments: given } });
  const message = status === 200 ? JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) : {};
  return { status, given: message.result?.structuredContent ?? {}, text };
}

const write = (token: string, content: string, section = "ICP") =>
  use(token, "update_gtm_profile", { section, content, mode: "replace" });

/** Writes, and gives the id of the change that waits. */
async function waits(token: string, content = "Series B fintechs"): Promise<string> {
  const { given, text } = await write(token, content);
  expect(given.status, text).toBe("pending_approval");
  return given.approval_id as string;
}

const versions = async (person: Person, category = "ICP") =>
  (await by(person).to("GET", `/gtm-context/history?category=${category}`)).body.versions as Record<string, unknown>[];

const pending = async (workspaceId: string) =>
  (
    await inspect<{ id: string }>("SELECT id FROM approvals WHERE workspace_id = $1 AND status = 'pending'", [
      workspaceId,
    ])
  ).map(({ id }) => id);

const grantOf = async (approvalId: string): Promise<string> =>
  (await inspect<{ id: string }>("SELECT asker_id AS id FROM approvals WHERE id = $1", [approvalId]))[0]?.id as string;

describe("a client that asks first", () => {
  test("changes nothing, is told so, and sees what was decided", async () => {
    const { tokens } = await connect(ada, careful);
    const started = await ask(tokens.access_token, {
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    });
    expect(started.text).toContain("waits until a person of the workspace approves it");
    const { given, text } = await write(tokens.access_token, "Series B fintechs");
    expect(given).toMatchObject({ status: "pending_approval", approval_id: expect.any(String) });
    expect(text).toContain("Not done yet: a person must approve it");
    expect(await versions(ada)).toEqual([]);

    const id = given.approval_id as string;
    expect(await by(ada).seen(id)).toMatchObject({
      status: "pending",
      requested_by: { type: "mcp", name: `Claude Code (${ada.email})` },
    });
    expect((await use(tokens.access_token, "check_approval", { id })).given).toMatchObject({ status: "pending" });
    expect((await by(ada).approve(id)).body).toMatchObject({ status: "approved" });
    expect((await use(tokens.access_token, "check_approval", { id })).given).toMatchObject({ status: "approved" });
  });

  test("has done, once approved, what a call without approval does", async () => {
    const [alone, asking] = [await signedInBrowser(server.url()), await signedInBrowser(server.url())];
    const first = await connect(alone);
    expect((await write(first.tokens.access_token, "Series A fintechs")).given).not.toHaveProperty("approval_id");
    const second = await connect(asking, careful);
    await by(asking).approve(await waits(second.tokens.access_token, "Series A fintechs"));
    const [called, approved] = [await versions(alone), await versions(asking)];
    expect(called).toMatchObject([{ author: `Claude Code (${alone.email})` }]);
    expect(approved).toMatchObject([{ source: "mcp", author: `Claude Code (${asking.email})` }]);
    const different = { id: "", recorded_at: "", last_observed_at: "", author: "" };
    expect(approved.map((one) => ({ ...one, ...different }))).toEqual(called.map((one) => ({ ...one, ...different })));
  });

  test("keeps asking after its tokens are renewed", async () => {
    const { clientId, tokens } = await connect(ada, careful);
    const { body } = await refresh(clientId, tokens.refresh_token);
    await waits(body.access_token as string);
  });

  test("sees neither what another client waits for, nor what waits in another workspace", async () => {
    const stranger = await signedInBrowser(server.url());
    const id = await waits((await connect(ada, careful)).tokens.access_token);
    for (const token of [
      (await connect(ada, careful)).tokens.access_token,
      (await connect(stranger, careful)).tokens.access_token,
    ])
      expect((await use(token, "check_approval", { id })).text).toContain("approval_not_found");
    expect((await by(stranger).approve(id)).body.error).toBe("approval_not_found");
    expect(await by(ada).seen(id)).toMatchObject({ status: "pending" });
  });
});

describe("a client that asks where a person spoke", () => {
  test("writes what no person said, and is told what waits of the rest", async () => {
    const owner = await signedInBrowser(server.url());
    const { access_token: token } = (await connect(owner)).tokens;
    expect((await write(token, "Fintechs")).given).toMatchObject({ fact: { content: "Fintechs" } });
    expect((await write(token, "Series A fintechs")).given).toMatchObject({ superseded: true });
    await by(owner).to("POST", "/v2/workspace/facts", { section: "ICP", content: "Banks" });
    await waits(token);
    await by(owner).to("POST", "/v2/people", { email: "anna@acme.com", job_title: "CTO" });
    const { given, text } = await use(token, "record", {
      focus: "anna@acme.com",
      observations: [
        { kind: "state", property: "job_title", value: "CEO" },
        { kind: "event", property: "interaction.call" },
      ],
    });
    const [claim] = given.claims as { approval_id: string }[];
    expect(given).toMatchObject({ recorded: 1, claims: [{ property: "job_title", value: "CTO", changed: false }] });
    expect(text).toContain(`A PERSON SAID OTHERWISE`);
    expect(text).toContain(`- job_title: check_approval with the id ${claim?.approval_id}`);
    expect((await use(token, "check_approval", { id: claim?.approval_id })).given).toMatchObject({ status: "pending" });
    await by(owner).approve(claim?.approval_id as string);
    expect((await use(token, "check_approval", { id: claim?.approval_id })).given).toMatchObject({
      status: "approved",
    });
  });
});

describe("what a client may always set", () => {
  /** Connects with a registration that there is. */
  async function connectAs(person: Person, clientId: string, more: Record<string, unknown> = {}) {
    const secret = verifier();
    const { params } = await decide(person, requestFor(clientId, secret), more);
    const { body } = await exchange(clientId, params.code as string, secret);
    return { clientId, token: body.access_token as string, refreshToken: body.refresh_token as string };
  }
  type Connected = Awaited<ReturnType<typeof connectAs>>;
  const ANNA = "anna@acme.com";
  const set = (token: string, job_title: string) =>
    use(token, "record", { focus: ANNA, observations: [{ kind: "state", property: "job_title", value: job_title }] });
  const waitingIn = async (workspaceId: string) =>
    (
      await inspect<{ id: string }>(
        "SELECT id FROM approvals WHERE workspace_id = $1 AND status = 'pending' AND property = 'job_title'",
        [workspaceId],
      )
    ).map(({ id }) => id);
  /** Says the title as a person, has a client ask for another, and gives the id of what waits; null when it is done. */
  async function asks(owner: Person, token: string): Promise<string | null> {
    await by(owner).to("POST", "/v2/people", { email: ANNA, job_title: `Person ${Math.random()}` });
    const before = await waitingIn(owner.workspaceId);
    const { given, text } = await set(token, `Machine ${Math.random()}`);
    expect(given, text).toHaveProperty("recorded");
    return (await waitingIn(owner.workspaceId)).find((id) => !before.includes(id)) ?? null;
  }
  async function allowed() {
    const owner = await signedInBrowser(server.url());
    const first = await connectAs(owner, await registered());
    const id = await asks(owner, first.token);
    const approved = await by(owner).to("POST", `/approvals/${id}/approve`, { always: true });
    expect(approved.body).toMatchObject({ status: "approved" });
    expect(await asks(owner, first.token)).toBeNull();
    return { owner, first };
  }
  const grantWith = async ({ owner, first }: { owner: Person; first: Connected }) =>
    (
      await inspect<{ id: string }>("SELECT id FROM oauth_grants WHERE workspace_id = $1 AND client_id = $2", [
        ...[owner.workspaceId, first.clientId],
      ])
    )[0]?.id as string;

  test("stays when the same registration is connected again by the same member, as the audit log says", async () => {
    const { owner, first } = await allowed();
    await inspect("UPDATE oauth_grants SET expires_at = now() - interval '1 day' WHERE workspace_id = $1", [
      owner.workspaceId,
    ]);
    const second = await connectAs(owner, first.clientId);
    expect(await asks(owner, second.token)).toBeNull();
    const rules = (await by(owner).to("GET", "/approval-rules")).body.rules as { asker_id: string }[];
    expect(rules).toHaveLength(1);
    const { entries } = (await by(owner).to("GET", "/v2/audit-log")).body as { entries: { action: string }[] };
    expect(entries.find(({ action }) => action === "client.connected")).toMatchObject({
      detail: { may_always_set: ["job_title"] },
    });
  });

  test("is not that of a new registration with the same name, nor of another member", async () => {
    const { owner, first } = await allowed();
    expect(await asks(owner, (await connectAs(owner, await registered())).token)).not.toBeNull();
    const grace = await signedInBrowser(server.url());
    await join(grace, owner.workspaceId, "member");
    const theirs = await connectAs(grace, first.clientId, { workspace_id: owner.workspaceId });
    expect(await asks(owner, theirs.token)).not.toBeNull();
  });

  test.each<[string, (given: { owner: Person; first: Connected }) => Promise<unknown>]>([
    ["a person disconnects it", async (given) => by(given.owner).disconnect(await grantWith(given))],
    ["it signs out", ({ first }) => form("/oauth/revoke", { client_id: first.clientId, token: first.refreshToken })],
    [
      "a rule is taken back",
      async ({ owner }) => {
        const [rule] = (await by(owner).to("GET", "/approval-rules")).body.rules as { id: string }[];
        return by(owner).to("DELETE", `/approval-rules/${rule?.id}`);
      },
    ],
  ])("ends when %s, also for when it is connected again", async (_when, end) => {
    const given = await allowed();
    await end(given);
    const again = await connectAs(given.owner, given.first.clientId);
    expect(await asks(given.owner, again.token)).not.toBeNull();
  });

  test("is given to the connection that took the place of the one that asked", async () => {
    const owner = await signedInBrowser(server.url());
    const first = await connectAs(owner, await registered());
    const id = await asks(owner, first.token);
    const second = await connectAs(owner, first.clientId);
    expect((await use(second.token, "check_approval", { id })).given).toMatchObject({ status: "pending" });
    await by(owner).to("POST", `/approvals/${id}/approve`, { always: true });
    expect(await asks(owner, second.token)).toBeNull();
  });
});

describe("the choice", () => {
  test("is to ask where a person spoke unless the person makes another, is listed, and is in the audit log", async () => {
    const owner = await signedInBrowser(server.url());
    await connect(owner);
    await connect(owner, careful);
    expect((await by(owner).clients()).map(({ approval }) => approval)).toEqual(["writes", "human_fields"]);
    const audit = (await by(owner).to("GET", "/v2/audit-log")).body.entries as { action: string; detail: object }[];
    const connected = audit.filter(({ action }) => action === "client.connected");
    expect(connected.map(({ detail }) => detail)).toMatchObject([{ approval: "writes" }, { approval: "human_fields" }]);
  });

  test("is refused when it is none of the three", async () => {
    const request = requestFor(await registered(), verifier());
    expect((await decide(ada, request, { approval: "reads" })).status).toBe(400);
  });

  test("may be limited, from the next call on: to kinds of records, and without fields", async () => {
    const owner = await signedInBrowser(server.url());
    const { tokens } = await connect(owner, { approval: "none" });
    const observations = [{ kind: "state", property: "phone", value: "+4930123456701" }];
    await use(tokens.access_token, "record", { focus: "anna@acme.example", observations });
    const account = () => use(tokens.access_token, "get_account", { id: "anna@acme.example" });
    expect((await account()).text).toContain("123456701");
    const [client] = await by(owner).clients();
    const limit = (limits: object) => by(owner).to("PATCH", `/connected-clients/${client?.id}`, limits);
    const { body } = await limit({ hidden_fields: ["phone"] });
    expect(body).toMatchObject({ approval: client?.approval, kinds: [], hidden_fields: ["phone"] });
    const left = await account();
    expect(left.text).toContain("anna@acme.example");
    expect(left.text).not.toContain("123456701");
    expect((await limit({ kinds: ["notes"] })).body).toMatchObject({ kinds: ["notes"], hidden_fields: ["phone"] });
    expect((await account()).given.error).toBe("beyond_limits");
    expect((await write(tokens.access_token, "Fintechs")).given.error).toBe("beyond_limits");
    expect((await limit({ hidden_fields: ["email"] })).body.error).toBe("invalid_parameter");
    const log = await inspect(
      "SELECT detail FROM audit_log WHERE workspace_id = $1 AND action = 'client.limited' ORDER BY id",
      [owner.workspaceId],
    );
    expect(log).toMatchObject([
      { detail: { hidden_fields: ["phone"], kinds: [] } },
      { detail: { hidden_fields: ["phone"], kinds: ["notes"] } },
    ]);
  });

  test("is changed by its member and by admins, from the next call on, and by no one else", async () => {
    const [owner, grace, stranger] = [
      await signedInBrowser(server.url()),
      await signedInBrowser(server.url()),
      await signedInBrowser(server.url()),
    ];
    await join(grace, owner.workspaceId, "member");
    const first = await connect(owner);
    const second = await connect(grace, { workspace_id: owner.workspaceId });
    const theirs = await connect(stranger);
    const [graces, owners] = (await by(owner).clients()).map(({ id }) => id) as [string, string];
    const inOwners = by(grace, owner.workspaceId);

    expect((await inOwners.change(owners, "writes")).body.error).toBe("role_required");
    expect((await by(stranger).change(owners, "writes")).body.error).toBe("connected_client_not_found");
    expect((await by(stranger, owner.workspaceId).change(owners, "writes")).status).toBe(404);
    expect((await write(first.tokens.access_token, "a")).given).not.toHaveProperty("approval_id");

    expect((await write(second.tokens.access_token, "b")).given).not.toHaveProperty("approval_id");
    const unlimited = { kinds: [], hidden_fields: [] };
    expect((await by(owner).change(graces, "writes")).body).toEqual({ id: graces, approval: "writes", ...unlimited });
    const waiting = await waits(second.tokens.access_token, "c");
    expect((await write(first.tokens.access_token, "d")).given).not.toHaveProperty("approval_id");
    expect((await write(theirs.tokens.access_token, "e")).given).not.toHaveProperty("approval_id");

    expect((await inOwners.change(graces, "none")).status).toBe(200);
    expect((await inOwners.change(graces, "none")).status).toBe(200);
    expect((await write(second.tokens.access_token, "f")).given).not.toHaveProperty("approval_id");
    expect(await pending(owner.workspaceId)).toEqual([waiting]);

    const audit = (await by(owner).to("GET", "/v2/audit-log")).body.entries as { action: string; detail: object }[];
    expect(audit.filter(({ action }) => action === "client.changed").map(({ detail }) => detail)).toMatchObject([
      { name: "Claude Code", approval: "none" },
      { name: "Claude Code", approval: "writes" },
    ]);
    await by(owner).disconnect(graces);
    expect((await by(owner).change(graces, "writes")).body.error).toBe("connected_client_not_found");
  });

  test("counts on this instance when it was made on another", async () => {
    const owner = await signedInBrowser(server.url());
    const { tokens } = await connect(owner);
    await write(tokens.access_token, "a");
    await inspect("UPDATE oauth_grants SET approval = 'writes' WHERE workspace_id = $1", [owner.workspaceId]);
    await inspect("SELECT pg_notify('rapport_keys', $1)", [owner.workspaceId]);
    const status = async () => (await write(tokens.access_token, "b")).given.status;
    await expect.poll(status, { timeout: SOON_MS }).toBe("pending_approval");
  });
});

describe("what waits is cancelled, and can be approved no more,", () => {
  type Connected = Awaited<ReturnType<typeof connect>> & { grantId: string };

  test.each<[string, (connected: Connected) => Promise<unknown>]>([
    ["when a person disconnects the client", ({ grantId }) => by(ada).disconnect(grantId)],
    [
      "when the client signs out",
      ({ clientId, tokens }) => form("/oauth/revoke", { client_id: clientId, token: tokens.refresh_token }),
    ],
    ["when its code is used again", ({ clientId, code, secret }) => exchange(clientId, code, secret)],
    [
      "when a refresh token is used again",
      async ({ clientId, tokens }) => {
        const { body } = await refresh(clientId, tokens.refresh_token);
        await refresh(clientId, body.refresh_token as string);
        await refresh(clientId, tokens.refresh_token);
      },
    ],
  ])("%s", async (_when, end) => {
    const stranger = await signedInBrowser(server.url());
    const others = [
      { whose: ada, id: await waits((await connect(ada, careful)).tokens.access_token) },
      { whose: stranger, id: await waits((await connect(stranger, careful)).tokens.access_token) },
    ];
    const connected = await connect(ada, careful);
    const id = await waits(connected.tokens.access_token);
    await end({ ...connected, grantId: await grantOf(id) });
    expect((await ask(connected.tokens.access_token)).status).toBe(401);
    expect((await by(ada).approve(id)).body).toMatchObject({ error: "approval_decided", status: "cancelled" });
    expect(await by(ada).seen(id)).toMatchObject({
      reason: "The client was disconnected.",
      requested_by: { name: `Claude Code (${ada.email})` },
    });
    for (const { whose, id: other } of others) expect(await by(whose).seen(other)).toMatchObject({ status: "pending" });
  });

  test("when its member leaves or is removed; what others wait for stays", async () => {
    const owner = await signedInBrowser(server.url());
    const kept = await waits((await connect(owner, careful)).tokens.access_token);
    for (const remover of ["owner", "grace"]) {
      const grace = await signedInBrowser(server.url());
      const memberId = await join(grace, owner.workspaceId, "member");
      const given = { ...careful, workspace_id: owner.workspaceId };
      const ids = [
        await waits((await connect(grace, given)).tokens.access_token),
        await waits((await connect(grace, given)).tokens.access_token),
      ];
      const who = remover === "owner" ? by(owner) : by(grace, owner.workspaceId);
      expect((await who.to("DELETE", `/members/${memberId}`)).status).toBe(200);
      for (const id of ids) expect((await by(owner).approve(id)).body).toMatchObject({ status: "cancelled" });
      expect(await pending(owner.workspaceId)).toEqual([kept]);
    }
  });

  test("also when the client asks at that very moment", async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await signedInBrowser(server.url());
      const { tokens } = await connect(owner, careful);
      const grantId = await grantOf(await waits(tokens.access_token));
      const asked = Array.from({ length: 4 }, (_, at) => write(tokens.access_token, `${at}`));
      const [ended] = await Promise.all([by(owner).disconnect(grantId), ...asked]);
      expect(ended.status).toBe(200);
      expect(await pending(owner.workspaceId)).toEqual([]);
    }
  });
});

test("a call that was let in before its client was disconnected is refused, and nothing of it waits", async () => {
  const owner = await signedInBrowser(server.url());
  const { tokens } = await connect(owner, careful);
  const id = await grantOf(await waits(tokens.access_token));
  const workspaceId = owner.workspaceId as WorkspaceId;
  const held = async () =>
    (
      await inspect<{ held: number }>(
        "SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      )
    )[0]?.held;
  const { asked } = await withWorkspace(workspaceId, async (db) => {
    await lock(db, "approvals", [id]);
    const started = write(tokens.access_token, "too late");
    await expect.poll(held).toBe(1);
    await db.prisma.oauthGrant.updateMany({ where: { workspaceId, id }, data: { revokedAt: new Date() } });
    return { asked: started };
  });
  const { given, text } = await asked;
  expect(given, text).not.toHaveProperty("approval_id");
  expect(text).toContain("unauthorized");
  expect(await pending(workspaceId)).toHaveLength(1);
});

test("the code of a client that asks first is kept with the choice, whatever the client sends", async () => {
  const [clientId, secret] = [await registered(), verifier()];
  const { params } = await decide(ada, requestFor(clientId, secret), careful);
  const { body } = await exchange(clientId, params.code as string, secret, {
    redirect_uri: REDIRECT,
    approval: "none",
  });
  await waits(body.access_token as string);
});

describe("the limits of a client", () => {
  const limits = { kinds: ["people", "activities"], hidden_fields: ["phone"] };
  async function again(owner: Person, clientId: string) {
    const secret = verifier();
    const { params } = await decide(owner, requestFor(clientId, secret));
    expect((await exchange(clientId, params.code as string, secret)).status).toBe(200);
    const [grant] = await inspect<{ id: string; kinds: string[]; hidden_fields: string[] }>(
      "SELECT id, kinds, hidden_fields FROM oauth_grants WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
      [owner.workspaceId],
    );
    return grant as NonNullable<typeof grant>;
  }

  test.each([false, true])("stay when its member connects it again (disconnected before: %s)", async (isEnded) => {
    const owner = await signedInBrowser(server.url());
    const clientId = await registered();
    const first = await again(owner, clientId);
    expect(first).toMatchObject({ kinds: [], hidden_fields: [] });
    await inspect("UPDATE oauth_grants SET kinds = $2, hidden_fields = $3 WHERE id = $1", [
      ...[first.id, limits.kinds, limits.hidden_fields],
    ]);
    if (isEnded) expect((await by(owner).disconnect(first.id)).status).toBe(200);
    expect(await again(owner, clientId)).toMatchObject(limits);
    const { entries } = (await by(owner).to("GET", "/v2/audit-log")).body as { entries: { action: string }[] };
    expect(entries.find(({ action }) => action === "client.connected")).toMatchObject({ detail: limits });
    expect(await again(owner, await registered())).toMatchObject({ kinds: [], hidden_fields: [] });
  });
});
