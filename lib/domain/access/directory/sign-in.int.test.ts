/** Memberships that follow the groups of a sign-in, and who tries to get one that is not theirs. */
import { beforeEach, describe, expect, test } from "vitest";
import { callerFor, readSession, type Session } from "#lib/auth/sessions.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import { mintApiKey } from "#lib/domain/access/api-keys/service.ts";
import { changeRole, listMembers } from "#lib/domain/access/members/service.ts";
import { setSignInDemand } from "#lib/domain/access/sign-in-demand/service.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { signUp } from "#lib/domain/workspace/users/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { authBrowser } from "#lib/testing/oidc.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { URL_HERE, useOidcProvider } from "#lib/testing/use-oidc.fixture.ts";
import { stranger } from "#lib/testing/visitor.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import {
  addDirectoryGroup,
  followGroups,
  followGroupsOf,
  getDirectory,
  removeDirectoryGroup,
  setGroupRole,
} from "./service.ts";

const server = useServer();
const [okta, other] = [useOidcProvider(), useOidcProvider()];
const boot = (more: Record<string, unknown> = {}, settings: Record<string, string> = {}) =>
  bootWith({
    OIDC_PROVIDERS: JSON.stringify([okta.entry("okta", { name: "Okta", ...more }), other.entry("other")]),
    SIGNUPS: "invite",
    APP_URL: URL_HERE,
    ...settings,
  });

beforeEach(async () => {
  boot();
  await inspect("UPDATE workspaces SET oidc_issuer = NULL"); // of the tests before
});

type Claims = Record<string, unknown>;
const person = () => {
  const sub = newId();
  return { sub, name: "Ada", email: `ada-${sub}@acme.example`, email_verified: true };
};

/** Signs in; the session, and where it led. */
async function signIn(claims: Claims, id: "okta" | "other" = "okta") {
  const provider = id === "okta" ? okta : other;
  const visitor = authBrowser(URL_HERE);
  const to = await visitor.comeBack(provider.approve(await visitor.leave(id), { claims }));
  return { to, session: await readSession(visitor.header) };
}
const roleIn = (session: Session | null, workspaceId: string): Role | null =>
  session?.memberships.find((each) => each.workspaceId === workspaceId)?.role ?? null;

/** A workspace that follows Okta's groups, and its owner, who came by Okta. */
async function following(groups: Readonly<Record<string, "viewer" | "member" | "admin">> = { Sales: "member" }) {
  const workspace = await createTestWorkspace();
  const owner = await addTestMember(workspace, "Owner", "owner");
  const caller: Caller = {
    ...owner.caller,
    provenAt: new Date(),
    proof: { secondFactor: false, byOidc: true, oidcIssuer: okta.issuer },
  };
  await followGroups.execute(caller, { provider: "okta" });
  for (const [name, role] of Object.entries(groups)) await addDirectoryGroup.execute(caller, { name, role });
  const roleOf = async (email: string) =>
    (await listMembers.execute(caller, {})).members.find((member) => member.email === email)?.role ?? null;
  const actions = async () =>
    (await listAudit.execute(caller, { action: ["member", "sign_in_groups"] })).entries.map(
      ({ action, detail }) => [action, detail] as const,
    );
  return { ...workspace, owner, caller, roleOf, actions };
}

describe("a sign-in", () => {
  test("of somebody in a group makes the account and the membership, though sign-ups are closed", async () => {
    const workspace = await following({ Sales: "member", Ops: "admin" });
    const ada = person();
    expect((await signIn(ada)).to).toContain("error=signups_closed");
    const { session } = await signIn({ ...ada, groups: ["Sales", "Ops", "Unknown"] });
    expect(session?.memberships.map(({ workspaceId, role }) => [workspaceId, role])).toEqual([[workspace.id, "admin"]]);
    expect((await workspace.actions()).slice(0, 2)).toEqual([
      ["member.added", { email: ada.email, role: "admin" }],
      ["member.groups_followed", { email: ada.email, groups: ["Sales", "Ops"], role: "admin" }],
    ]);
  });

  test("moves the role with the groups, and ends the membership without any", async () => {
    const { id, roleOf } = await following({ Readers: "viewer", Sales: "member", Ops: "admin" });
    const ada = person();
    for (const [groups, role] of [
      [["Ops"], "admin"],
      [["Readers", "Sales"], "member"],
      [["Readers"], "viewer"],
      ["Sales", "member"],
      [["Unknown"], null],
      [["Sales"], "member"],
      [[], null],
      [["Sales"], "member"],
      [undefined, null],
    ] as const) {
      const { session } = await signIn({ ...ada, groups });
      expect([session === null, roleIn(session, id), await roleOf(ada.email)]).toEqual([false, role, role]);
    }
  });

  test("changes nothing when the provider has more groups than it tells", async () => {
    const { id } = await following();
    const ada = person();
    expect(roleIn((await signIn({ ...ada, groups: ["Sales"] })).session, id)).toBe("member");
    for (const more of [{ hasgroups: true }, { _claim_names: { groups: "src1" }, _claim_sources: {} }])
      expect(roleIn((await signIn({ ...ada, ...more })).session, id)).toBe("member");
    expect(roleIn((await signIn({ ...ada, _claim_names: { other: "src1" } })).session, id)).toBeNull();
  });

  test("reads the claim that the operator names, and no other", async () => {
    const { id } = await following();
    boot({ groups_claim: "https://acme.example/roles" });
    const ada = person();
    expect((await signIn({ ...ada, groups: ["Sales"] })).session).toBeNull();
    const { session } = await signIn({ ...ada, "https://acme.example/roles": ["Sales"] });
    expect(roleIn(session, id)).toBe("member");
  });

  test.each([[[1, null, {}, ["Sales"]]], [{ Sales: true }], [""], [true], [["sales"]], [["Sales "]]])(
    "takes no group from %j",
    async (groups) => {
      const { id } = await following();
      expect((await signIn({ ...person(), groups })).session).toBeNull();
      boot({}, { SIGNUPS: "open" });
      const { session } = await signIn({ ...person(), groups });
      expect(session?.memberships).toEqual([]);
      expect(roleIn(session, id)).toBeNull();
    },
  );

  test("leaves alone who was never given a role by groups", async () => {
    const workspace = await following();
    const { id, roleOf } = workspace;
    const grace = await addTestMember(workspace, "Grace", "admin");
    const { session } = await signIn({ ...person(), email: grace.email, groups: ["Unknown"] });
    expect(roleIn(session, id)).toBe("admin");
    expect(await roleOf(grace.email)).toBe("admin");
  });

  test("never lowers an owner, and never takes the last one", async () => {
    const workspace = await following({ Readers: "viewer" });
    const { id, owner, roleOf } = workspace;
    const claims = { ...person(), email: owner.email };
    for (const groups of [["Readers"], []]) {
      const { session } = await signIn({ ...claims, groups });
      expect(roleIn(session, id)).toBe("owner");
    }
    await signIn({ ...claims, groups: ["Readers"] });
    const second = await addTestMember(workspace, "Second", "owner");
    expect(roleIn((await signIn({ ...claims, groups: [] })).session, id)).toBeNull();
    expect([await roleOf(owner.email), await roleOf(second.email)]).toEqual([null, "owner"]);
  });

  test("ends what a person had in the workspace when their groups are gone", async () => {
    const { id } = await following();
    const ada = person();
    const { session } = await signIn({ ...ada, groups: ["Sales"] });
    await inspect(
      `INSERT INTO invitations (workspace_id, id, role, token_hash, invited_by, expires_at)
       VALUES ($1, gen_random_uuid(), 'member', '\\x00', $2, now() + interval '1 day')`,
      [id, session?.userId],
    );
    await signIn({ ...ada, groups: [] });
    expect(await inspect("SELECT 1 FROM invitations WHERE workspace_id = $1 AND revoked_at IS NULL", [id])).toEqual([]);
  });

  test("of two at once makes one membership", async () => {
    const { id, caller } = await following();
    const ada = person();
    const both = await Promise.all([1, 2].map(() => signIn({ ...ada, groups: ["Sales"] })));
    expect(both.map(({ session }) => roleIn(session, id))).toEqual(["member", "member"]);
    const { members } = await listMembers.execute(caller, {});
    expect(members.filter(({ email }) => email === ada.email)).toHaveLength(1);
  });
});

describe("no membership comes", () => {
  test("from groups of a provider that the workspace does not follow", async () => {
    const { id } = await following();
    boot({}, { SIGNUPS: "open" });
    const ada = person();
    expect(roleIn((await signIn({ ...ada, groups: ["Sales"] }, "other")).session, id)).toBeNull();
    expect(roleIn((await signIn({ ...ada, groups: ["Sales"] })).session, id)).toBe("member");
    expect(roleIn((await signIn({ ...ada, groups: [] }, "other")).session, id)).toBe("member");
  });

  test("into a workspace that follows no provider, or none any more", async () => {
    const { id, caller } = await following();
    const ada = person();
    expect(roleIn((await signIn({ ...ada, groups: ["Sales"] })).session, id)).toBe("member");
    expect((await followGroups.execute(caller, { provider: null })).sign_in.follows).toBeNull();
    expect(roleIn((await signIn({ ...ada, groups: [] })).session, id)).toBe("member");
    expect((await signIn({ ...person(), groups: ["Sales"] })).to).toContain("error=signups_closed");
  });

  test("and none ends by what an earlier provider gave", async () => {
    const { id, caller } = await following();
    boot({}, { SIGNUPS: "open" });
    const ada = person();
    await signIn({ ...ada, groups: ["Sales"] });
    const proof = { secondFactor: false, byOidc: true, oidcIssuer: other.issuer };
    await followGroups.execute({ ...caller, proof }, { provider: "other" });
    expect(roleIn((await signIn({ ...ada, groups: [] }, "other")).session, id)).toBe("member");
  });

  test("without a verified address, nor under one that the provider may not speak for", async () => {
    await following();
    boot({ domains: ["acme.example"] });
    for (const [claims, error] of [
      [{ email_verified: false }, "invalid_email"],
      [{ email: "eve@elsewhere.example" }, "email_not_allowed"],
    ] as const)
      expect((await signIn({ ...person(), groups: ["Sales"], ...claims })).to).toContain(`error=${error}`);
  });

  test("with the password of a stranger who made the account under the address", async () => {
    const { id } = await following();
    boot({}, { SIGNUPS: "open" });
    const ada = person();
    const made = { email: ada.email, password: "correct horse battery", workspace_name: "Theirs" };
    const { user_id } = await signUp.execute(stranger(`203.0.113.${Math.ceil(Math.random() * 250)}`), made);
    const { session } = await signIn({ ...ada, groups: ["Sales"] });
    expect([session?.userId, roleIn(session, id)]).toEqual([user_id, "member"]);
    expect(await inspect("SELECT password_hash FROM users WHERE id = $1", [user_id])).toEqual([
      { password_hash: null },
    ]);
    const sessions = await inspect("SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL", [user_id]);
    expect(sessions).toEqual([{ id: session?.id }]);
  });

  test("against the directory: who it manages has what it says, active or not", async () => {
    const { id, caller, roleOf } = await following({ Ops: "admin" });
    const { api_key: key } = await mintApiKey.execute(caller, { name: "Okta", scopes: ["directory"] });
    const ada = person();
    const scim = (method: string, path: string, body: unknown) =>
      server.call(`/scim/v2${path}`, {
        key,
        method,
        raw: JSON.stringify(body),
        headers: { "content-type": "application/scim+json" },
      });
    const added = await scim("POST", "/Users", { userName: ada.email, active: true });
    expect(added.status).toBe(201);
    expect(roleIn((await signIn({ ...ada, groups: ["Ops"] })).session, id)).toBe("member");
    expect(roleIn((await signIn({ ...ada, groups: [] })).session, id)).toBe("member");
    await scim("PUT", `/Users/${added.body.id}`, { userName: ada.email, active: false });
    expect(roleIn((await signIn({ ...ada, groups: ["Ops"] })).session, id)).toBeNull();
    expect(await roleOf(ada.email)).toBeNull();
  });
});

describe("following a provider", () => {
  const codeOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => (error as { code: string }).code);
  const proofOf = (oidcIssuer: string | null) => ({ secondFactor: true, byOidc: oidcIssuer !== null, oidcIssuer });

  test("is for an owner who came from that provider, in this session and just now", async () => {
    const workspace = await createTestWorkspace();
    const { caller } = await addTestMember(workspace, "Owner", "owner");
    const mine = { ...caller, provenAt: new Date(), proof: proofOf(okta.issuer) };
    const follow = (from: Caller, provider = "okta") => codeOf(followGroups.execute(from, { provider }));
    expect(await follow({ ...mine, proof: proofOf(null) })).toBe("signed_in_elsewhere");
    expect(await follow({ ...mine, proof: proofOf(other.issuer) })).toBe("signed_in_elsewhere");
    expect(await follow(mine, "google")).toBe("unknown_provider");
    expect(await follow({ ...mine, role: "admin" })).toBe("role_required");
    expect(await follow({ ...mine, role: null, actor: { type: "api_key", id: newId() } })).toBe("role_required");
    expect(await follow({ ...mine, provenAt: new Date(Date.now() - 16 * 60_000) })).toBe("recent_sign_in_required");
    expect((await getDirectory.execute(mine, {})).sign_in).toEqual({
      follows: null,
      may_follow: { id: "okta", name: "Okta" },
      providers: [
        { id: "okta", name: "Okta" },
        { id: "other", name: "other" },
      ],
    });
    expect(await follow(mine)).toBeNull();
    expect((await getDirectory.execute(caller, {})).sign_in).toMatchObject({ follows: "Okta", may_follow: null });
  });

  test("is for the operator, who names any provider of the server or none", async () => {
    const { id, caller } = await createTestWorkspace();
    const operator = { ...caller, actor: { type: "cli", id: "root" } } as const;
    expect(await codeOf(followGroupsOf(operator, "nobody"))).toBe("unknown_provider");
    expect(await followGroupsOf(operator, "okta")).toEqual({ issuer: okta.issuer });
    await addDirectoryGroup.execute(caller, { name: "Sales", role: "viewer" });
    expect(roleIn((await signIn({ ...person(), groups: ["Sales"] })).session, id)).toBe("viewer");
    expect(await followGroupsOf(operator, null)).toEqual({ issuer: null });
  });

  test("makes the provider the only one that counts where OIDC is demanded", async () => {
    const { id, caller } = await following({ Sales: "member" });
    expect(await setSignInDemand.execute(caller, { demand: "oidc" })).toEqual({ demand: "oidc" });
    boot({}, { SIGNUPS: "open" });
    const ada = person();
    const byOkta = (await signIn({ ...ada, groups: ["Sales"] })).session;
    const byOther = (await signIn(ada, "other")).session;
    expect(byOther?.userId).toBe(byOkta?.userId);
    expect(byOkta && callerFor(byOkta, id, newId())?.role).toBe("member");
    expect(() => byOther && callerFor(byOther, id, newId())).toThrow(
      expect.objectContaining({ code: "oidc_required" }),
    );
    expect(await codeOf(setSignInDemand.execute({ ...caller, proof: proofOf(other.issuer) }, { demand: "oidc" }))).toBe(
      "locks_out",
    );
  });
});

describe("groups", () => {
  test("added by hand become the directory's when it sends them, and keep their role", async () => {
    const { caller } = await following({ Sales: "admin" });
    const { api_key: key } = await mintApiKey.execute(caller, { name: "Okta", scopes: ["directory"] });
    const scim = (method: string, path: string, body?: unknown) =>
      server.call(`/scim/v2${path}`, {
        key,
        method,
        ...(body === undefined ? {} : { raw: JSON.stringify(body) }),
        headers: { "content-type": "application/scim+json" },
      });
    expect((await scim("GET", "/Groups")).body.totalResults).toBe(0);
    const sent = await scim("POST", "/Groups", { displayName: "Sales", externalId: "g-1" });
    expect(sent.status).toBe(201);
    const { groups } = await getDirectory.execute(caller, {});
    expect(groups).toEqual([{ id: sent.body.id, name: "Sales", members: 0, role: "admin" }]);
    expect((await scim("POST", "/Groups", { displayName: "Sales" })).status).toBe(409);
  });

  test("are found by the id that the directory has for them, too", async () => {
    const { id, caller } = await following({});
    const { api_key: key } = await mintApiKey.execute(caller, { name: "Entra", scopes: ["directory"] });
    const raw = JSON.stringify({ displayName: "Sales", externalId: "6c0c7a5e-0000-4000-8000-000000000001" });
    const headers = { "content-type": "application/scim+json" };
    const sent = await server.call("/scim/v2/Groups", { key, method: "POST", raw, headers });
    const claims = { ...person(), groups: ["6c0c7a5e-0000-4000-8000-000000000001"] };
    expect((await signIn(claims)).session).toBeNull();
    await setGroupRole.execute(caller, { id: String(sent.body.id), role: "viewer" });
    expect(roleIn((await signIn(claims)).session, id)).toBe("viewer");
  });

  test("of a sign-in hand a member over to SCIM: what they gave goes when the directory's groups do not give it", async () => {
    const { id, caller, roleOf } = await following({ Admins: "admin" });
    const { api_key: key } = await mintApiKey.execute(caller, { name: "Okta", scopes: ["directory"] });
    const scim = (path: string, body: unknown) => {
      const headers = { "content-type": "application/scim+json" };
      return server.call(`/scim/v2${path}`, { key, method: "POST", raw: JSON.stringify(body), headers });
    };
    const [ada, byHand] = [person(), person()];
    for (const claims of [ada, byHand])
      expect(roleIn((await signIn({ ...claims, groups: ["Admins"] })).session, id)).toBe("admin");
    await inspect(
      "UPDATE members SET group_role = NULL WHERE workspace_id = $1 AND user_id = (SELECT id FROM users WHERE email = $2)",
      [id, byHand.email],
    );
    for (const { email } of [ada, byHand]) expect((await scim("/Users", { userName: email })).status).toBe(201);
    expect([await roleOf(ada.email), await roleOf(byHand.email)]).toEqual(["member", "admin"]);
    const { body } = await scim("/Users", { userName: person().email });
    const members = [{ value: body.id }];
    expect((await scim("/Groups", { displayName: "Admins", members })).status).toBe(201);
    expect(await roleOf(ada.email)).toBe("member");
  });

  test("are removed by hand only when they were added so, and have one name each", async () => {
    const { caller } = await following({ Sales: "member" });
    const [group] = (await getDirectory.execute(caller, {})).groups;
    await expect(addDirectoryGroup.execute(caller, { name: " Sales ", role: "viewer" })).rejects.toMatchObject({
      code: "directory_group_exists",
    });
    await inspect("UPDATE directory_groups SET by_hand = false WHERE id = $1", [group?.id]);
    const remove = () => removeDirectoryGroup.execute(caller, { id: String(group?.id) });
    await expect(remove()).rejects.toMatchObject({ code: "directory_group_not_found" });
    await inspect("UPDATE directory_groups SET by_hand = true WHERE id = $1", [group?.id]);
    await remove();
    expect((await getDirectory.execute(caller, {})).groups).toEqual([]);
  });

  test("follow a role that was set by hand at the next sign-in", async () => {
    const { id, caller } = await following({ Sales: "member" });
    const ada = person();
    const claims = { ...ada, groups: ["Sales"] };
    await signIn(claims);
    const { members } = await listMembers.execute(caller, {});
    const member = members.find(({ email }) => email === ada.email);
    await changeRole.execute(caller, { id: String(member?.id), role: "viewer" });
    expect(roleIn((await signIn(claims)).session, id)).toBe("member");
  });
});
