/** Identifiers that are added, made primary and removed, with who did it. */
import { describe, expect, test } from "vitest";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();

const ANNA = "anna@acme.com";
const OTHER = "anna.smith@acme.com";

async function start() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const { body } = await call("/v2/people", { key, body: { email: ANNA, first_name: "Anna" } });
  const { id } = body.person as { id: string };
  const path = `/v2/accounts/${id}/identifiers`;
  const add = (value: string, more: object = {}) => call(path, { key, body: { kind: "email", value, ...more } });
  const remove = (value: string, kind = "email") => call(`${path}/remove`, { key, body: { kind, value } });
  const email = async () => ((await call(`/v2/people/${id}`, { key })).body.person as { email: string | null }).email;
  const rebuilt = async () => (await rebuildWorkspace(workspace.caller)).differences;
  return { workspace, key, id, add, remove, email, rebuilt };
}

const emailsOf = (body: Record<string, unknown>) =>
  (body.identifiers as { kind: string; value: string }[]).map(({ value }) => value);

describe("an identifier", () => {
  test("is added beside the primary one, found by, and made primary", async () => {
    const { key, id, add, email, rebuilt } = await start();
    expect((await add(" Anna.Smith@ACME.com ")).body).toEqual({
      entity_id: id,
      added: true,
      identifiers: [
        { kind: "email", value: ANNA },
        { kind: "email", value: OTHER },
      ],
    });
    expect(await email()).toBe(ANNA);
    expect((await call(`/v2/people/${OTHER}`, { key })).body).toMatchObject({ person: { id } });
    const { body } = await add(OTHER, { primary: true });
    expect(body).toMatchObject({ added: false });
    expect(emailsOf(body)).toEqual([OTHER, ANNA]);
    expect(await email()).toBe(OTHER);
    expect(await rebuilt()).toEqual([]);
  });

  test("that the record has already changes nothing, and leaves no evidence", async () => {
    const { workspace, add } = await start();
    await add(OTHER, { primary: true });
    const evidence = () => inspect("SELECT id FROM observations WHERE workspace_id = $1 ORDER BY id", [workspace.id]);
    const before = await evidence();
    for (const again of [await add(ANNA), await add(OTHER), await add(OTHER, { primary: true })]) {
      expect(again.body).toMatchObject({ added: false });
      expect(emailsOf(again.body)).toEqual([OTHER, ANNA]);
    }
    expect(await evidence()).toEqual(before);
  });

  test("of a kind that the record had none of leaves evidence too", async () => {
    const { key, id, add } = await start();
    const url = "https://www.linkedin.com/in/anna-smith";
    expect((await add("linkedin.com/in/Anna-Smith", { kind: "linkedin_url" })).body).toMatchObject({
      added: true,
      identifiers: expect.arrayContaining([{ kind: "linkedin_url", value: url }]),
    });
    const history = await call(
      `/v2/accounts/${id}/history?property=${encodeURIComponent(`identifier.linkedin_url.${url}`)}`,
      { key },
    );
    expect((history.body.values as { value: unknown }[]).map(({ value }) => value)).toEqual([true]);
  });

  test("is removed, so that another record may have it, and the evidence says so", async () => {
    const { key, id, add, remove, email, rebuilt } = await start();
    await add(OTHER, { primary: true });
    expect(emailsOf((await remove(OTHER)).body)).toEqual([ANNA]);
    expect(await email()).toBe(ANNA);
    expect(await remove(OTHER)).toMatchObject({ status: 404, body: { error: "identifier_not_found" } });
    const history = await call(`/v2/accounts/${id}/history?property=identifier.email.${OTHER}`, { key });
    expect((history.body.values as { value: unknown }[]).map(({ value }) => value)).toEqual([null, true]);
    expect((await call("/v2/people", { key, body: { email: OTHER } })).body).toMatchObject({ created: true });
    expect(await add(OTHER)).toMatchObject({ status: 409, body: { error: "identifier_conflict" } });
    expect(await rebuilt()).toEqual([]);
  });

  test.each([
    ["email", "nonsense", "invalid_email"],
    ["linkedin_url", "https://www.linkedin.com/company/acme", "invalid_linkedin_url"],
    ["domain", "acme.com", "invalid_parameter"],
  ])("of kind %s is refused when it is %s", async (kind, value, error) => {
    const { add } = await start();
    expect(await add(value, { kind })).toMatchObject({ status: 400, body: { error } });
  });

  test("that two records want at once goes to one of them", async () => {
    const { key, add } = await start();
    const { body } = await call("/v2/people", { key, body: { email: "ben@acme.com" } });
    const { id } = body.person as { id: string };
    const answers = await Promise.all([
      add(OTHER),
      call(`/v2/accounts/${id}/identifiers`, { key, body: { kind: "email", value: OTHER } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
