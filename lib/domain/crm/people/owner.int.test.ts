import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { listChanges } from "#lib/domain/knowledge/changes/service.ts";
import { mergeAccounts, unmergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { settled } from "#lib/testing/changes.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";
import * as people from "./service.ts";

type Input = Record<string, unknown>;

async function setUp() {
  const workspace = await createTestWorkspace();
  const ada = await addTestMember(workspace, "Ada", "owner");
  const grace = await addTestMember(workspace, "Grace");
  const put = async (email: string, input: Input = {}, caller = ada.caller) =>
    (await people.upsertPerson.execute(caller, { email, ...input })).person;
  const patch = async (focus: string, input: Input, caller = ada.caller) =>
    (await people.patchPerson.execute(caller, { focus, ...input })).person;
  const list = async (input: Input, caller = ada.caller) =>
    (await people.listPeople.execute(caller, { sort: "created_asc", ...input })).people.map(({ email }) => email);
  return { workspace, ada, grace, put, patch, list };
}

const anna = "anna@acme.com";

describe("an owner", () => {
  test("is a member, by e-mail address, id, full name or me, and null ends it", async () => {
    const { ada, grace, put, patch } = await setUp();
    expect((await put(anna)).owner).toBeNull();
    for (const [given, owner] of [
      ["me", ada.email],
      [grace.email.toUpperCase(), grace.email],
      [ada.memberId, ada.email],
      ["grace", grace.email],
      [null, null],
    ])
      expect((await patch(anna, { owner: given })).owner).toBe(owner);
    const { company } = await people.upsertCompany.execute(ada.caller, { domain: "acme.com", owner: "me" });
    expect(company.owner).toBe(ada.email);
  });

  test("who is no member is refused by each way to write one, and nothing is written", async () => {
    const { ada, put, patch } = await setUp();
    const owner = "stranger@ours.example";
    await put(anna);
    await expect(patch(anna, { owner })).rejects.toMatchObject({
      code: "invalid_parameter",
      extras: { parameter: "owner" },
    });
    await expect(put("bob@acme.com", { owner })).rejects.toMatchObject({ code: "invalid_parameter" });
    const { results } = await people.upsertPeople.execute(ada.caller, {
      people: [
        { email: "bob@acme.com", owner },
        { email: "cleo@acme.com", owner: "me" },
      ],
    });
    expect(results.map(({ status, error }) => [status, error])).toEqual([
      ["failed", "invalid_parameter"],
      ["created", undefined],
    ]);
    for (const value of [owner, 7, ["me"]])
      await expect(
        recordObservations.execute(ada.caller, {
          focus: anna,
          observations: [{ kind: "state", property: "owner", value }],
        }),
      ).rejects.toMatchObject({ code: "invalid_observation" });
    expect((await people.listPeople.execute(ada.caller, {})).people.map(({ owner: known }) => known).sort()).toEqual([
      ada.email,
      null,
    ]);
  });

  test("is the one named last, by a key or by a person, with its history", async () => {
    const { workspace, ada, grace, put, patch } = await setUp();
    const { id } = await put(anna, { owner: "me" });
    expect((await patch(anna, { owner: grace.email }, workspace.caller)).owner).toBe(grace.email);
    await recordObservations.execute(workspace.caller, {
      focus: anna,
      observations: [{ kind: "state", property: "owner", value: "Ada" }],
    });
    expect((await patch(anna, { first_name: "Anna" })).owner).toBe(ada.email);
    await settled(workspace.id);
    const { changes } = await listChanges.execute(ada.caller, { focus: id, types: ["state"] });
    expect(changes.filter(({ property }) => property === "owner").map(({ value }) => value)).toEqual([
      ada.email,
      grace.email,
      ada.email,
    ]);
    expect(await rebuildWorkspace(workspace.caller)).toMatchObject({ differences: [] });
  });

  test("filters lists: mine, a member's, no one's, and of someone who has left", async () => {
    const { workspace, ada, grace, put, patch, list } = await setUp();
    await put("a@acme.com", { owner: "me" });
    await put("b@acme.com", { owner: grace.email });
    await put("c@acme.com");
    expect(await list({ owner: "me" })).toEqual(["a@acme.com"]);
    expect(await list({ owner: "me" }, grace.caller)).toEqual(["b@acme.com"]);
    expect(await list({ owner: grace.memberId })).toEqual(["b@acme.com"]);
    expect(await list({ owner: "none" })).toEqual(["c@acme.com"]);
    expect(await list({ owner: "none", sort: "last_activity_desc" })).toEqual(["c@acme.com"]);
    await expect(list({ owner: newId() })).rejects.toMatchObject({ code: "invalid_parameter" });
    await expect(list({ owner: "me" }, workspace.caller)).rejects.toMatchObject({ code: "invalid_parameter" });
    await expect(list({ properties: { owner: ["x"] } })).rejects.toMatchObject({ code: "invalid_parameter" });
    await removeMember.execute(ada.caller, { id: grace.memberId });
    expect(await list({ owner: grace.email })).toEqual(["b@acme.com"]);
    await expect(patch("c@acme.com", { owner: grace.email })).rejects.toMatchObject({ code: "invalid_parameter" });
    await patch("b@acme.com", { owner: "me" });
    expect(await list({ owner: "me" })).toEqual(["a@acme.com", "b@acme.com"]);
    const companies = await people.listCompanies.execute(ada.caller, { owner: "none" });
    expect(companies.companies.map(({ domain }) => domain)).toEqual(["acme.com"]);
  });
});

describe("a merge", () => {
  test.each([
    [
      "keeps the owner of the record that stays, who was named before",
      { keep: "Ada", drop: "Grace" },
      undefined,
      "Ada",
    ],
    ["takes the other owner when it has none", { drop: "Grace" }, undefined, "Grace"],
    ["takes the other owner when the caller chooses it", { keep: "Ada", drop: "Grace" }, "drop", "Grace"],
  ])("%s, and undone each has its own", async (_, owners: { keep?: string; drop: string }, side, expected) => {
    const { ada, grace, put, workspace } = await setUp();
    const emails: Record<string, string> = { Ada: ada.email, Grace: grace.email };
    const keep = await put(anna, owners.keep ? { owner: owners.keep } : {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    const drop = await put("anna@home.example", { owner: owners.drop });
    const { merge_id } = await mergeAccounts.execute(ada.caller, {
      keep: keep.id,
      drop: drop.id,
      ...(side ? { fields: { owner: side } } : {}),
    });
    const owner = async (id: string) => {
      const json = await withWorkspace(workspace.id, (db) => people.findPersonJson(db, id));
      return (JSON.parse(json as string) as { owner: string | null }).owner;
    };
    expect(await owner(keep.id)).toBe(emails[expected]);
    await unmergeAccounts.execute(ada.caller, { merge_id });
    expect([await owner(keep.id), await owner(drop.id)]).toEqual([
      owners.keep ? emails[owners.keep] : null,
      emails[owners.drop],
    ]);
  });
});

test("an owner of an import counts from the day of the file", async () => {
  const { ada, grace, put } = await setUp();
  await put(anna, { owner: "me" });
  const old = new Date(Date.now() - DAY_MS).toISOString();
  const { claims } = await recordObservations.execute(ada.caller, {
    focus: anna,
    observations: [{ kind: "state", property: "owner", value: grace.email, observed_at: old }],
  });
  expect(claims).toMatchObject([{ property: "owner", value: ada.email }]);
});
