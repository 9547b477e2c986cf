/** Directories as Entra ID and Okta speak SCIM: the bodies have the forms that their documentation shows. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { mintApiKey, rotateApiKey } from "#lib/domain/access/api-keys/service.ts";
import { getDirectory, setGroupRole } from "#lib/domain/access/directory/service.ts";
import { changeRole, listMembers, removeMember } from "#lib/domain/access/members/service.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

bootWith({ SIGNUPS: "open" });
const server = useServer();

const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

let count = 0;

/** A workspace with an owner who signed in, and a directory that has a key. */
async function connected() {
  const workspace = await createTestWorkspace();
  const owner = await addTestMember(workspace, `Owner${++count}`, "owner");
  const caller = { ...owner.caller, provenAt: new Date() };
  const { api_key: key } = await mintApiKey.execute(caller, { name: "Entra ID", scopes: ["directory"] });
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url()}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/scim+json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  };
  const patch = (path: string, ...Operations: unknown[]) => send("PATCH", path, { schemas: [PATCH], Operations });
  const addPerson = async (name: string, more: Record<string, unknown> = {}) => {
    const userName = `${name}${++count}@directory.example`;
    const { status, body } = await send("POST", "/Users", { schemas: [USER], userName, active: true, ...more });
    expect(status).toBe(201);
    return { id: body.id as string, userName };
  };
  const addGroup = async (displayName: string, ...ids: string[]) => {
    const members = ids.map((value) => ({ value }));
    const { status, body } = await send("POST", "/Groups", { schemas: [GROUP], displayName, members });
    expect(status).toBe(201);
    return body.id as string;
  };
  const roleOf = async (email: string) =>
    (await listMembers.execute(caller, {})).members.find((member) => member.email === email)?.role ?? null;
  return { workspace, owner, caller, key, send, patch, addPerson, addGroup, roleOf };
}

let shared: Awaited<ReturnType<typeof connected>>;
beforeAll(async () => {
  shared = await connected();
});

describe("people", () => {
  test("a person that Entra ID creates becomes a member, and is returned as sent", async () => {
    const { send, roleOf } = shared;
    const sent = {
      schemas: [USER, ENTERPRISE],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: "Ada.Lovelace@directory.example",
      active: true,
      emails: [{ primary: true, type: "work", value: "ada.lovelace@directory.example" }],
      meta: { resourceType: "User" },
      name: { formatted: "Ada Lovelace", familyName: "Lovelace", givenName: "Ada" },
      [ENTERPRISE]: { department: "Research" },
      password: "not-to-be-kept",
      roles: [],
    };
    const { status, headers, body } = await send("POST", "/Users", sent);
    expect(status).toBe(201);
    expect(headers.get("content-type")).toBe("application/scim+json; charset=utf-8");
    expect(headers.get("location")).toBe(`${server.url()}/scim/v2/Users/${body.id}`);
    const { password: _, ...shown } = { ...sent, userName: "ada.lovelace@directory.example" };
    expect(body).toEqual({ ...shown, id: expect.any(String), groups: [], meta: expect.anything() });
    expect(body.meta).toMatchObject({ resourceType: "User", location: headers.get("location") });
    expect(await roleOf("ada.lovelace@directory.example")).toBe("member");
    expect((await send("GET", `/Users/${body.id}`)).body).toEqual(body);
  });

  test("somebody who is a member already keeps their role", async () => {
    const { workspace, send, roleOf } = shared;
    const admin = await addTestMember(workspace, "Grace", "admin");
    const { status } = await send("POST", "/Users", { schemas: [USER], userName: admin.email, active: true });
    expect(status).toBe(201);
    expect(await roleOf(admin.email)).toBe("admin");
  });

  test.each([
    ["Entra ID, with a word", { op: "Replace", path: "active", value: "False" }],
    ["Entra ID", { op: "Replace", path: "active", value: false }],
    ["Okta", { op: "replace", value: { active: false } }],
  ])("deactivated by %s, a person is no member until they are activated again", async (_, operation) => {
    const { patch, addPerson, roleOf } = shared;
    const { id, userName } = await addPerson("leaver");
    const { status, body } = await patch(`/Users/${id}`, operation);
    expect([status, body.active]).toEqual([200, false]);
    expect(await roleOf(userName)).toBeNull();
    await patch(`/Users/${id}`, { op: "replace", value: { active: true } });
    expect(await roleOf(userName)).toBe("member");
  });

  test("a person who is created inactive becomes a member later", async () => {
    const { send, addPerson, roleOf } = shared;
    const { id, userName } = await addPerson("later", { active: false });
    expect(await roleOf(userName)).toBeNull();
    const { status } = await send("PUT", `/Users/${id}`, { schemas: [USER], userName, active: true });
    expect(status).toBe(200);
    expect(await roleOf(userName)).toBe("member");
  });

  test("names and other attributes change, and the address to sign in with stays", async () => {
    const { patch, addPerson, roleOf } = shared;
    const { id, userName } = await addPerson("marries", {
      emails: [{ type: "work", value: "maiden@directory.example" }],
    });
    const { body } = await patch(
      `/Users/${id}`,
      { op: "Replace", path: 'emails[type eq "work"].value', value: "new@directory.example" },
      { op: "Add", path: "name.familyName", value: "Hopper" },
      { op: "Add", path: `${ENTERPRISE}:department`, value: "Sales" },
    );
    expect(body).toMatchObject({
      userName,
      emails: [{ type: "work", value: "new@directory.example" }],
      name: { familyName: "Hopper" },
    });
    expect(JSON.stringify(body)).toContain("Sales");
    expect(await roleOf("new@directory.example")).toBeNull();
    expect(await roleOf("maiden@directory.example")).toBe("member");
  });

  test("a removed person is gone from the directory and the workspace", async () => {
    const { send, addPerson, roleOf } = shared;
    const { id, userName } = await addPerson("removed");
    expect((await send("DELETE", `/Users/${id}`)).status).toBe(204);
    expect(await roleOf(userName)).toBeNull();
    const { status, body } = await send("GET", `/Users/${id}`);
    expect(status).toBe(404);
    expect(body).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "404",
      detail: expect.stringContaining("no user"),
    });
  });

  test("somebody with an account on this server who is no member is not taken in", async () => {
    const { workspace, send, roleOf } = shared;
    const stranger = await signedInBrowser(server.url());
    const sent = { schemas: [USER], userName: stranger.email, active: true };
    const { status, body } = await send("POST", "/Users", sent);
    expect([status, body.detail]).toEqual([409, expect.stringContaining("invite them")]);
    expect(await roleOf(stranger.email)).toBeNull();
    await inspect(
      "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'viewer')",
      [workspace.id, stranger.userId],
    );
    expect((await send("POST", "/Users", sent)).status).toBe(201);
    expect(await roleOf(stranger.email)).toBe("viewer");
  });

  test("a member whose address was never proven gets no role for it", async () => {
    const { caller, workspace, send, addGroup, roleOf } = shared;
    const squatter = await signedInBrowser(server.url());
    await inspect(
      "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'member')",
      [workspace.id, squatter.userId],
    );
    const { body } = await send("POST", "/Users", { schemas: [USER], userName: squatter.email, active: true });
    const id = await addGroup(`Bosses ${++count}`, body.id);
    await setGroupRole.execute(caller, { id, role: "admin" });
    expect(await roleOf(squatter.email)).toBe("member");
    await inspect("UPDATE users SET email_verified_at = now() WHERE id = $1", [squatter.userId]);
    await setGroupRole.execute(caller, { id, role: null });
    await setGroupRole.execute(caller, { id, role: "admin" });
    expect(await roleOf(squatter.email)).toBe("admin");
  });

  test("whom the directory calls inactive is no member, also when they were one before or joined again by hand", async () => {
    const { workspace, send, patch, roleOf } = shared;
    const grace = await addTestMember(workspace, "Grace");
    const { body } = await send("POST", "/Users", { schemas: [USER], userName: grace.email, active: false });
    expect(await roleOf(grace.email)).toBeNull();
    await inspect(
      "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'member')",
      [workspace.id, grace.userId],
    );
    await patch(`/Users/${body.id}`, { op: "replace", path: "active", value: false });
    expect(await roleOf(grace.email)).toBeNull();
  });

  test("what says nothing of being active changes nothing about it", async () => {
    const { send, patch, addPerson, roleOf } = shared;
    const { id, userName } = await addPerson("gone", { active: false });
    await send("PUT", `/Users/${id}`, { schemas: [USER], userName, title: "CEO" });
    await patch(`/Users/${id}`, { op: "remove", path: "active" });
    expect((await send("GET", `/Users/${id}`)).body.active).toBe(false);
    expect(await roleOf(userName)).toBeNull();
  });

  test("a replacement of what is not there adds it, with all else of the request", async () => {
    const { patch, addPerson } = shared;
    const { id } = await addPerson("plain");
    const { status, body } = await patch(
      `/Users/${id}`,
      { op: "Replace", path: 'emails[type eq "work"].value', value: "work@directory.example" },
      { op: "Replace", path: "title", value: "constructor of prototypes" },
      { op: "Replace", path: "active", value: "False" },
    );
    expect([status, body.active, body.title]).toEqual([200, false, "constructor of prototypes"]);
    expect(body.emails).toMatchObject([{ value: "work@directory.example" }]);
  });

  test("names of attributes are the same in any case of letters", async () => {
    const { send } = shared;
    const username = `cased${++count}@directory.example`;
    const { status, body } = await send("POST", "/Users", {
      USERNAME: username,
      Active: false,
      Password: "secret-12345",
    });
    expect([status, body.userName, body.active]).toEqual([201, username, false]);
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  test("the browser and the sign-in of a deactivated person reach nothing of the workspace with their next request", async () => {
    const { workspace, send, patch } = shared;
    const person = await signedInBrowser(server.url());
    await inspect(
      "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'member')",
      [workspace.id, person.userId],
    );
    const { body } = await send("POST", "/Users", { schemas: [USER], userName: person.email, active: true });
    const read = () => fetch(`${server.url()}/api/app/${workspace.id}/members`, { headers: person.headers() });
    expect((await read()).status).toBe(200);
    await patch(`/Users/${body.id}`, { op: "replace", value: { active: false } });
    expect((await read()).status).toBe(404);
    expect((await fetch(`${server.url()}${person.app}/members`, { headers: person.headers() })).status).toBe(200);
  });

  test.each([
    ["no address", { userName: "ada" }, 400, "invalidValue"],
    ["no name", { displayName: "Ada" }, 400, "invalidValue"],
    ["a name that is no text", { userName: 7 }, 400, "invalidValue"],
    ["too much", { userName: "big@directory.example", note: "x".repeat(20_000) }, 400, "invalidValue"],
  ])("%s is refused", async (_, body, status, scimType) => {
    const answer = await shared.send("POST", "/Users", { schemas: [USER], ...body });
    expect([answer.status, answer.body.scimType]).toEqual([status, scimType]);
  });

  test("a name or address that is taken is refused, in any case of letters", async () => {
    const { send, addPerson } = shared;
    const { userName } = await addPerson("twice");
    for (const body of [{ userName: userName.toUpperCase() }, { userName: "other", emails: [{ value: userName }] }]) {
      const answer = await send("POST", "/Users", { schemas: [USER], ...body });
      expect([answer.status, answer.body.scimType]).toEqual([409, "uniqueness"]);
    }
    const other = await addPerson("third");
    const answer = await send("PUT", `/Users/${other.id}`, { schemas: [USER], userName });
    expect([answer.status, answer.body.scimType]).toEqual([409, "uniqueness"]);
  });

  test("the last owner can be neither deactivated nor removed", async () => {
    const { owner, send, patch, roleOf } = await connected();
    const { body } = await send("POST", "/Users", { schemas: [USER], userName: owner.email, active: true });
    expect((await patch(`/Users/${body.id}`, { op: "replace", value: { active: false } })).status).toBe(409);
    expect((await send("DELETE", `/Users/${body.id}`)).status).toBe(409);
    expect(await roleOf(owner.email)).toBe("owner");
    expect((await send("GET", `/Users/${body.id}`)).body.active).toBe(true);
  });

  test("the same person sent many times at once is added once", async () => {
    const { send } = shared;
    const userName = `race${++count}@directory.example`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send("POST", "/Users", { schemas: [USER], userName, active: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });
});

describe("lists", () => {
  let directory: Awaited<ReturnType<typeof connected>>;
  const people: { id: string; userName: string }[] = [];
  beforeAll(async () => {
    directory = await connected();
    for (const name of ["ann", "bob", "cid"])
      people.push(await directory.addPerson(name, { externalId: `ext-${name}` }));
    await directory.addGroup("Sales", ...people.map(({ id }) => id));
    await directory.addGroup("Support");
  });

  test.each([
    ['userName eq "ANN', (n: string) => `${n.slice(3)}"`, ["ann"]],
    ['externalId eq "ext-bob"', null, ["bob"]],
    ['externalId eq "ext-dan"', null, []],
    ['userName sw "bob" or userName sw "cid"', null, ["bob", "cid"]],
    ["active eq true", null, ["ann", "bob", "cid"]],
  ])("filter %s", async (text, end, names) => {
    const filter = end ? text + end(people[0]?.userName ?? "") : text;
    const { status, body } = await directory.send("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.totalResults]).toEqual([200, names.length]);
    expect(body.Resources.map((user: { userName: string }) => user.userName.slice(0, 3))).toEqual(names);
  });

  test("pages walk the whole list", async () => {
    const seen: string[] = [];
    for (let start = 1; start <= 3; start++) {
      const { body } = await directory.send("GET", `/Users?startIndex=${start}&count=1`);
      expect(body).toMatchObject({ totalResults: 3, startIndex: start, itemsPerPage: 1 });
      seen.push(body.Resources[0].id);
    }
    expect(seen).toEqual(people.map(({ id }) => id));
    expect((await directory.send("GET", "/Users?count=0")).body).toMatchObject({ totalResults: 3, Resources: [] });
    expect((await directory.send("GET", "/Users?startIndex=x")).status).toBe(400);
  });

  test("groups are found by name, without their members where they are not wanted", async () => {
    const { body } = await directory.send(
      "GET",
      '/Groups?excludedAttributes=members&filter=displayName%20eq%20"Sales"',
    );
    expect(body.Resources).toEqual([
      { schemas: [GROUP], id: expect.any(String), displayName: "Sales", meta: expect.anything() },
    ]);
    const whole = await directory.send("GET", "/Groups");
    expect(whole.body.Resources.map(({ members }: { members: unknown[] }) => members.length)).toEqual([3, 0]);
    const named = await directory.send("GET", "/Groups?attributes=displayName");
    expect(Object.keys(named.body.Resources[0]).sort()).toEqual(["displayName", "id", "meta", "schemas"]);
  });

  test.each(["userName is", "userName eq", "(((", 'x[y eq "z"'])("filter %s is refused", async (filter) => {
    const { status, body } = await directory.send("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.scimType]).toEqual([400, "invalidFilter"]);
  });
});

describe("groups", () => {
  test("a group that an admin gave a role gives it to its members, the highest of several", async () => {
    const { caller, send, patch, addPerson, addGroup, roleOf } = await connected();
    const [ann, bob] = [await addPerson("ann"), await addPerson("bob")];
    const readers = await addGroup("Readers", ann.id, bob.id);
    const admins = await addGroup("Admins");
    const give = (id: string, role: "viewer" | "admin" | null) => setGroupRole.execute(caller, { id, role });
    const roles = async () => [await roleOf(ann.userName), await roleOf(bob.userName)];

    expect(await roles()).toEqual(["member", "member"]);
    await give(readers, "viewer");
    expect(await roles()).toEqual(["viewer", "viewer"]);
    await give(admins, "admin");
    await patch(`/Groups/${admins}`, { op: "Add", path: "members", value: [{ $ref: null, value: ann.id }] });
    expect(await roles()).toEqual(["admin", "viewer"]);
    await patch(`/Groups/${admins}`, { op: "Remove", path: "members", value: [{ $ref: null, value: ann.id }] });
    expect(await roles()).toEqual(["viewer", "viewer"]);
    const again = await patch(`/Groups/${admins}`, { op: "Remove", path: "members", value: [{ value: ann.id }] });
    expect(again.status).toBe(200);
    await patch(`/Groups/${readers}`, { op: "remove", path: `members[value eq "${bob.id}"]` });
    expect(await roles()).toEqual(["viewer", "member"]);
    await patch(`/Groups/${admins}`, { op: "replace", path: "members", value: [{ value: bob.id }] });
    expect(await roles()).toEqual(["viewer", "admin"]);
    expect((await send("DELETE", `/Groups/${admins}`)).status).toBe(204);
    expect(await roles()).toEqual(["viewer", "member"]);
    await give(readers, null);
    expect(await roles()).toEqual(["member", "member"]);
  });

  test("no group makes an owner or unmakes one", async () => {
    const { owner, caller, send, addGroup, roleOf } = await connected();
    const { body } = await send("POST", "/Users", { schemas: [USER], userName: owner.email, active: true });
    const id = await addGroup("Readers", body.id);
    await setGroupRole.execute(caller, { id, role: "viewer" });
    expect(await roleOf(owner.email)).toBe("owner");
    await expect(setGroupRole.execute(caller, { id, role: "owner" as "admin" })).rejects.toMatchObject({
      code: "invalid_parameter",
    });
  });

  test("Okta renames a group by its id and name", async () => {
    const { send, patch, addGroup } = shared;
    const id = await addGroup(`Renamed ${++count}`);
    const { status, body } = await patch(`/Groups/${id}`, {
      op: "replace",
      value: { id, displayName: "Renamed well" },
    });
    expect([status, body.displayName, body.id]).toEqual([200, "Renamed well", id]);
    const again = await send("POST", "/Groups", { schemas: [GROUP], displayName: "Renamed well" });
    expect([again.status, again.body.scimType]).toEqual([409, "uniqueness"]);
  });

  test("a group with somebody unknown is refused as a whole", async () => {
    const { send } = shared;
    const displayName = `Unknown ${++count}`;
    const { status } = await send("POST", "/Groups", { schemas: [GROUP], displayName, members: [{ value: newId() }] });
    expect(status).toBe(404);
    const filter = encodeURIComponent(`displayName eq "${displayName}"`);
    expect((await send("GET", `/Groups?filter=${filter}`)).body.totalResults).toBe(0);
  });

  test.each([
    { op: "replace", path: "__proto__.polluted", value: "yes" },
    { op: "add", path: "constructor.prototype.polluted", value: "yes" },
    { op: "replace", value: { constructor: { prototype: { polluted: "yes" } } } },
    { op: "explode", path: "displayName", value: "x" },
    { op: "replace", path: "members[", value: [] },
  ])("the patch %j is refused, and changes no object", async (operation) => {
    const { patch, addGroup } = shared;
    const id = await addGroup(`Patched ${++count}`);
    const { status } = await patch(`/Groups/${id}`, operation);
    expect(status).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test("what would take long to read is refused at once, and large groups change fast", async () => {
  const { patch, addGroup, addPerson } = shared;
  const people = [];
  for (let n = 0; n < 20; n++) people.push(await addPerson(`many${n}`));
  const id = await addGroup(`Large ${++count}`, ...people.map((person) => person.id));
  const refused = [
    { op: "replace", path: ".".repeat(100_000), value: "x" },
    { op: "replace", path: `displayName${".a".repeat(200)}`, value: "x" },
  ];
  for (const operation of refused) expect((await patch(`/Groups/${id}`, operation)).status).toBe(400);
  const many = Array.from({ length: 1_001 }, () => ({ op: "remove", path: 'members[value eq "x"]' }));
  expect((await patch(`/Groups/${id}`, ...many)).status).toBe(400);
  const removals = Array.from({ length: 20_000 }, () => ({ value: newId() })).concat({
    value: people[0]?.id as string,
  });
  const { status, body } = await patch(`/Groups/${id}`, { op: "Remove", path: "members", value: removals });
  expect([status, body.members.length]).toEqual([200, 19]);
  const added = await patch(`/Groups/${id}`, { op: "add", value: { members: [{ value: people[0]?.id }] } });
  expect(added.body.members).toHaveLength(20);
});

describe("the key", () => {
  test.each(["GET /v2/me", "GET /v2/people", "POST /v2/context"])(
    "of a directory opens nothing else: %s",
    async (line) => {
      const [method = "", path] = line.split(" ");
      const headers = { authorization: `Bearer ${shared.key}`, "content-type": "application/json" };
      const { status } = await fetch(server.url() + path, {
        method,
        headers,
        ...(method === "GET" ? {} : { body: "{}" }),
      });
      expect(status).toBe(403);
    },
  );

  test("of a directory has no tools", async () => {
    const response = await fetch(`${server.url()}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${shared.key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    expect(await response.text()).toContain('"tools":[]');
  });

  test("of an agent opens no directory, and no key none", async () => {
    const { api_key } = await mintApiKey.execute(shared.caller, { name: "Agent", scopes: ["read", "write", "admin"] });
    const refused = await shared.send("GET", "/Users", undefined, { authorization: `Bearer ${api_key}` });
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("Directory")]);
    expect((await shared.send("GET", "/Users", undefined, { authorization: "" })).status).toBe(401);
  });

  test("whose changes wait for approval is refused", async () => {
    const waiting = { name: "Waiting", scopes: ["directory"], approval: "writes" } as const;
    const { api_key } = await mintApiKey.execute(shared.caller, { ...waiting, scopes: ["directory"] });
    const { status, body } = await shared.send("GET", "/Users", undefined, { authorization: `Bearer ${api_key}` });
    expect([status, body.detail]).toEqual([403, expect.stringContaining("approval")]);
  });

  test("is made and rotated by owners only", async () => {
    const admin = await addTestMember(shared.workspace, "Admin", "admin");
    const caller = { ...admin.caller, provenAt: new Date() };
    await expect(mintApiKey.execute(caller, { name: "Mine", scopes: ["directory"] })).rejects.toMatchObject({
      code: "role_required",
    });
    const { key } = await mintApiKey.execute(shared.caller, { name: "Rotated", scopes: ["directory"] });
    await expect(rotateApiKey.execute(caller, { id: key.id })).rejects.toMatchObject({ code: "role_required" });
    expect((await rotateApiKey.execute(shared.caller, { id: key.id })).key.scopes).toEqual(["directory"]);
  });

  test("of one workspace sees nothing of another", async () => {
    const other = await connected();
    const { id } = await other.addPerson("theirs");
    const group = await other.addGroup("Theirs", id);
    for (const [method, path] of [
      ["GET", `/Users/${id}`],
      ["DELETE", `/Users/${id}`],
      ["GET", `/Groups/${group}`],
      ["DELETE", `/Groups/${group}`],
    ] as const)
      expect((await shared.send(method, path)).status, `${method} ${path}`).toBe(404);
    const taken = await shared.send("POST", "/Groups", {
      schemas: [GROUP],
      displayName: "G",
      members: [{ value: id }],
    });
    expect(taken.status).toBe(404);
    const { body } = await shared.send("GET", "/Users?count=500");
    expect(body.Resources.some((user: { id: string }) => user.id === id)).toBe(false);
  });
});

test("what a directory reads first is there, and what is not answers in its form", async () => {
  for (const path of ["/ServiceProviderConfig", "/ResourceTypes", "/Schemas"]) {
    const { status, headers } = await shared.send("GET", path);
    expect([status, headers.get("content-type")]).toEqual([200, "application/scim+json; charset=utf-8"]);
  }
  expect((await shared.send("GET", "/ServiceProviderConfig")).body).toMatchObject({ patch: { supported: true } });
  expect((await shared.send("GET", "/Users/not-an-id")).status).toBe(404);
  expect((await shared.send("PUT", "/Groups/not-an-id", { displayName: "x" })).status).toBe(404);
});

test("the page says how many people and groups there are", async () => {
  const { caller, addPerson, addGroup } = await connected();
  const address = { address: "/scim/v2", sign_in: { follows: null, may_follow: null, providers: [] } };
  expect(await getDirectory.execute(caller, {})).toEqual({
    ...address,
    active: 0,
    inactive: 0,
    changed_at: null,
    groups: [],
  });
  const { id } = await addPerson("ann");
  await addPerson("bob", { active: false });
  await addGroup("Sales", id);
  expect(await getDirectory.execute(caller, {})).toEqual({
    ...address,
    active: 1,
    inactive: 1,
    changed_at: expect.any(String),
    groups: [{ id: expect.any(String), name: "Sales", members: 1, role: null }],
  });
});

test("the audit log names what the directory did, and by which key", async () => {
  const { caller, send, addPerson, addGroup } = await connected();
  const { id } = await addPerson("ann");
  const group = await addGroup("Sales", id);
  await setGroupRole.execute(caller, { id: group, role: "viewer" });
  await send("DELETE", `/Users/${id}`);
  const { entries } = await listAudit.execute(caller, {});
  const actions = entries
    .map(({ action, actor }) => `${action} ${actor.type}`)
    .filter((text) => !text.startsWith("api_key"));
  expect(actions.reverse()).toEqual([
    "directory_user.added api_key",
    "member.added api_key",
    "directory_group.added api_key",
    "directory_group.members_changed api_key",
    "directory_group.role_changed user",
    "member.role_changed user",
    "directory_user.removed api_key",
    "member.removed api_key",
  ]);
});

test("members whom an admin changes or removes by hand stay so until the directory says something new", async () => {
  const { caller, send, patch, addPerson, roleOf } = await connected();
  const { id, userName } = await addPerson("ann");
  const memberId = async () =>
    (await listMembers.execute(caller, {})).members.find(({ email }) => email === userName)?.id as string;
  await changeRole.execute(caller, { id: await memberId(), role: "admin" });
  await patch(`/Users/${id}`, { op: "replace", path: "displayName", value: "Ann" });
  expect(await roleOf(userName)).toBe("admin");
  await removeMember.execute(caller, { id: await memberId() });
  await send("PUT", `/Users/${id}`, { schemas: [USER], userName, active: true });
  expect(await roleOf(userName)).toBeNull();
});
