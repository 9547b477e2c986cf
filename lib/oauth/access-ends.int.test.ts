/** The authorization server as a client, a person and an attacker see it: how access ends or shrinks. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { sweepClients, sweepTokens } from "#lib/domain/access/oauth/service.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { deleteWorkspace, setPlan } from "#lib/domain/workspace/workspaces/service.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { join, oauthClient, rowsOf } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

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

/** Less than the five seconds that a grant is kept: what is noticed sooner was notified. */
const SOON_MS = 4_000;

const ofCaller = (person: Person) => async () => {
  const { caller } = await createTestWorkspace();
  return {
    ...caller,
    workspaceId: person.workspaceId as WorkspaceId,
    actor: { type: "user" as const, id: person.userId },
  };
};

describe("access ends or shrinks at once", () => {
  const revoke = (id: string, token: string, more: Record<string, string> = {}) =>
    form("/oauth/revoke", { client_id: id, token, ...more });

  test("when the client revokes its refresh token", async () => {
    const { clientId, tokens } = await connect(ada);
    expect((await ask(tokens.access_token)).status).toBe(200);
    expect((await revoke(clientId, tokens.refresh_token)).status).toBe(200);
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
  });

  test("for one access token when the client revokes that", async () => {
    const { clientId, tokens } = await connect(ada);
    expect((await ask(tokens.access_token)).status).toBe(200);
    expect((await revoke(clientId, tokens.access_token)).status).toBe(200);
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).status).toBe(200);
  });

  test("never through another client's revocation, which learns nothing", async () => {
    const { tokens } = await connect(ada);
    const other = await registered();
    expect((await revoke(other, tokens.refresh_token)).status).toBe(200);
    expect((await revoke(other, "rpr_nonsense")).status).toBe(200);
    expect((await revoke("client_nobody", tokens.refresh_token)).body.error).toBe("invalid_client");
    expect((await ask(tokens.access_token)).status).toBe(200);
  });

  test("when a member is removed, and a new invitation does not bring it back", async () => {
    const grace = await signedInBrowser(server.url());
    const memberId = await join(grace, ada.workspaceId, "member");
    const { clientId, tokens } = await connect(grace, { workspace_id: ada.workspaceId });
    expect((await ask(tokens.access_token)).status).toBe(200);
    const pending = verifier();
    const waiting = await registered();
    const { params } = await decide(grace, requestFor(waiting, pending), { workspace_id: ada.workspaceId });
    await removeMember.execute(await ofCaller(ada)(), { id: memberId });
    expect((await ask(tokens.access_token)).status).toBe(401);
    await join(grace, ada.workspaceId, "owner");
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await exchange(waiting, params.code as string, pending)).body.error).toBe("invalid_grant");
  });

  test("when a member is removed while their client exchanges its code or refreshes", async () => {
    const caller = await ofCaller(ada)();
    for (let round = 0; round < 4; round++) {
      const grace = await signedInBrowser(server.url());
      const memberId = await join(grace, ada.workspaceId, "member");
      const given = { workspace_id: ada.workspaceId };
      const before = await connect(grace, given);
      const [clientId, secret] = [await registered(), verifier()];
      const { params } = await decide(grace, requestFor(clientId, secret), given);
      const [, exchanged, refreshed] = await Promise.all([
        removeMember.execute(caller, { id: memberId }),
        exchange(clientId, params.code as string, secret),
        refresh(before.clientId, before.tokens.refresh_token),
      ]);
      for (const { status, body } of [exchanged, refreshed]) {
        expect([200, 400]).toContain(status);
        if (status === 200) expect((await ask(body.access_token as string)).status).toBe(401);
        else expect(body.error).toBe("invalid_grant");
      }
      expect((await ask(before.tokens.access_token)).status).toBe(401);
      const left = await inspect("SELECT 1 FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NULL", [
        grace.userId,
      ]);
      expect(left).toEqual([]);
    }
  });

  test("when a member's role is lowered", async () => {
    const grace = await signedInBrowser(server.url());
    const memberId = await join(grace, ada.workspaceId, "admin");
    const { clientId, tokens } = await connect(grace, { workspace_id: ada.workspaceId });
    expect(tokens.scope).toBe("read write admin");
    const { authenticateAccessToken } = await import("#lib/auth/access-tokens.ts");
    expect((await authenticateAccessToken(tokens.access_token)).scopes).toContain("admin");
    const lowered = await send(`${ada.app}/members/${memberId}`, {
      method: "PATCH",
      headers: { ...ada.headers(), "content-type": "application/json" },
      body: JSON.stringify({ role: "member" }),
    });
    expect(lowered.status, JSON.stringify(lowered.body)).toBe(200);
    expect((await authenticateAccessToken(tokens.access_token)).scopes).toEqual(["read", "write"]);
    expect((await refresh(clientId, tokens.refresh_token)).body.scope).toBe("read write");
  });

  test("when the plan changes", async () => {
    const { tokens } = await connect(ada);
    const { authenticateAccessToken } = await import("#lib/auth/access-tokens.ts");
    expect((await authenticateAccessToken(tokens.access_token)).plan).toBe("scale");
    const caller = await ofCaller(ada)();
    await setPlan(caller, "free");
    const planNow = async () => (await authenticateAccessToken(tokens.access_token)).plan;
    await expect.poll(planNow, { timeout: SOON_MS }).toBe("free");
    await setPlan(caller, "scale");
  });

  test("when another instance ends it", async () => {
    const { tokens } = await connect(ada);
    expect((await ask(tokens.access_token)).status).toBe(200);
    await inspect("UPDATE oauth_grants SET revoked_at = now() WHERE workspace_id = $1", [ada.workspaceId]);
    await inspect("SELECT pg_notify('rapport_keys', $1)", [ada.workspaceId]);
    await expect.poll(async () => (await ask(tokens.access_token)).status, { timeout: SOON_MS }).toBe(401);
  });

  test("when the workspace is deleted", async () => {
    const bob = await signedInBrowser(server.url());
    const { clientId, tokens } = await connect(bob);
    expect((await ask(tokens.access_token)).status).toBe(200);
    await deleteWorkspace.execute(await ofCaller(bob)(), { confirm: "Acme" });
    await expect.poll(async () => (await ask(tokens.access_token)).status, { timeout: SOON_MS }).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
  });
});

describe("connected clients", () => {
  const list = async (person: Person, workspaceId = person.workspaceId) =>
    (await send(`/api/app/${workspaceId}/connected-clients`, { headers: person.headers() })).body.clients as {
      id: string;
      mine: boolean;
      name: string;
    }[];
  const disconnect = (person: Person, id: string, workspaceId = person.workspaceId) =>
    send(`/api/app/${workspaceId}/connected-clients/${id}/revoke`, {
      method: "POST",
      headers: { ...person.headers(), "content-type": "application/json" },
      body: "{}",
    });

  test("are listed for an admin, and for a member only their own; two workspaces know nothing of each other", async () => {
    const [owner, grace, stranger] = [
      await signedInBrowser(server.url()),
      await signedInBrowser(server.url()),
      await signedInBrowser(server.url()),
    ];
    await join(grace, owner.workspaceId, "member");
    const first = await connect(owner);
    const second = await connect(grace, { workspace_id: owner.workspaceId });
    const other = await connect(stranger);

    const seen = await list(owner);
    expect(seen.map(({ mine }) => mine)).toEqual([false, true]);
    expect(await list(grace, owner.workspaceId)).toMatchObject([{ mine: true }]);
    expect(await list(stranger)).toHaveLength(1);
    const [graces, owners] = [seen[0]?.id as string, seen[1]?.id as string];

    expect((await disconnect(grace, owners, owner.workspaceId)).body.error).toBe("role_required");
    expect((await disconnect(stranger, owners)).body.error).toBe("connected_client_not_found");
    expect((await ask(first.tokens.access_token)).status).toBe(200);

    expect((await ask(second.tokens.access_token)).status).toBe(200);
    expect((await disconnect(owner, graces)).status).toBe(200);
    expect((await ask(second.tokens.access_token)).status).toBe(401);
    expect((await ask(first.tokens.access_token)).status).toBe(200);
    expect((await ask(other.tokens.access_token)).status).toBe(200);
    expect((await disconnect(owner, graces)).body.error).toBe("connected_client_not_found");
    expect(await list(grace, owner.workspaceId)).toEqual([]);

    const { entries } = await listAudit.execute(await ofCaller(owner)(), {});
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["client.connected", "client.disconnected"]),
    );
  });
});

test("the first call of a connected client is the workspace's latest agent activity", async () => {
  const bob = await signedInBrowser(server.url());
  const activity = async () => (await send(`${bob.app}/agent-activity`, { headers: bob.headers() })).body;
  expect(await activity()).toMatchObject({ last_used_at: null });
  const { tokens } = await connect(bob);
  expect(await activity()).toMatchObject({ last_used_at: null });
  await ask(tokens.access_token);
  expect(await activity()).toMatchObject({ last_used_at: expect.any(String), client: "Claude Code", key_name: null });
  const { body } = await send(`${bob.app}/connected-clients`, { headers: bob.headers() });
  expect(body.clients).toMatchObject([{ last_used_at: (await activity()).last_used_at }]);
});

describe("what has ended", () => {
  test("is deleted, and nothing else", async () => {
    const bob = await signedInBrowser(server.url());
    const workspaceId = bob.workspaceId as WorkspaceId;
    const { tokens } = await connect(bob);
    await sweepTokens(workspaceId);
    expect([await rowsOf("oauth_tokens", workspaceId), await rowsOf("oauth_codes", workspaceId)]).toEqual([2, 1]);
    await inspect(
      "UPDATE oauth_tokens SET expires_at = now() - interval '1 second' WHERE workspace_id = $1 AND kind = 'refresh'",
      [workspaceId],
    );
    await inspect("UPDATE oauth_codes SET expires_at = now() - interval '2 days' WHERE workspace_id = $1", [
      workspaceId,
    ]);
    expect(await sweepTokens(workspaceId)).toBe(false);
    expect([await rowsOf("oauth_tokens", workspaceId), await rowsOf("oauth_codes", workspaceId)]).toEqual([1, 0]);
    expect((await ask(tokens.access_token)).status).toBe(200);
  });

  test("includes clients that no one uses", async () => {
    const [fresh, unused, used] = [await registered(), await registered(), await registered()];
    await inspect("UPDATE oauth_clients SET created_at = now() - interval '31 days' WHERE id = ANY($1)", [
      [unused, used],
    ]);
    await inspect("UPDATE oauth_clients SET last_used_at = now() - interval '90 days' WHERE id = $1", [used]);
    await sweepClients();
    const rows = await inspect<{ id: string }>("SELECT id FROM oauth_clients WHERE id = ANY($1)", [
      [fresh, unused, used],
    ]);
    expect(rows.map(({ id }) => id).sort()).toEqual([fresh, used].sort());
  });
});
