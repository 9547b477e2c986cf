/** Exports over real connections, as the browser downloads them. */
import { beforeAll, expect, test } from "vitest";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const { call, url } = useServer();
beforeAll(() => bootWith({ SIGNUPS: "open" }));

type Visitor = Awaited<ReturnType<typeof signedInBrowser>>;

const download = (visitor: Visitor, query = "", headers: Record<string, string> = visitor.headers()) =>
  fetch(`${url()}${visitor.app}/export${query}`, { headers });

const addPerson = (visitor: Visitor, person: object) =>
  call(`${visitor.app}/v2/people`, { headers: visitor.headers(), body: person });

test("the workspace's owner downloads everything, or one person, as a file", async () => {
  const owner = await signedInBrowser(url());
  await addPerson(owner, { email: "anna@acme.com", first_name: "Anna" });
  await addPerson(owner, { email: "ben@acme.com", first_name: "Ben" });
  const answer = await download(owner);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="rapport-[\d-]+\.ndjson"$/);
  const whole = (await answer.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(whole[0]).toMatchObject({ export: "rapport", workspace_id: owner.workspaceId });
  expect(whole.at(-1)).toMatchObject({ end: true, tables: { people: 2, members: 1 } });
  const one = await (await download(owner, "?person=anna%40acme.com")).text();
  expect(one).toContain("Anna");
  expect(one).not.toMatch(/ben@acme|"members"/);
});

test("a slow reader is waited for, and the file is complete", async () => {
  const owner = await signedInBrowser(url());
  const text = "Budget. ".repeat(200_000);
  for (let note = 0; note < 6; note++) {
    const body = { focus: "anna@acme.com", content: `${note} ${text}` };
    expect((await call(`${owner.app}/v2/notes`, { headers: owner.headers(), body })).status).toBeLessThan(300);
  }
  const answer = await download(owner);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const lines = (await answer.text()).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ end: true, tables: { notes: 6 } });
});

test("a member, a stranger, another site and an unknown person get a refusal and no file", async () => {
  const owner = await signedInBrowser(url());
  const other = await signedInBrowser(url());
  const refused = async (answer: Response, status: number, error: string) => {
    expect(answer.headers.get("content-disposition")).toBeNull();
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status, body: { error } });
  };
  await refused(await download(owner, "", {}), 401, "session_required");
  await refused(await download(owner, "", other.headers()), 404, "not_found");
  await refused(
    await download(owner, "", { ...owner.headers(), "sec-fetch-site": "cross-site" }),
    403,
    "origin_not_allowed",
  );
  await refused(await download(owner, "?person=nobody%40acme.com"), 404, "entity_not_found");
  await refused(await download(owner, "?person="), 400, "invalid_focus");
  await inspect("UPDATE members SET role = 'member' WHERE workspace_id = $1", [owner.workspaceId]);
  await refused(await download(owner), 403, "insufficient_scope");
  expect(
    await inspect("SELECT 1 FROM audit_log WHERE workspace_id = $1 AND action LIKE '%.exported'", [owner.workspaceId]),
  ).toEqual([]);
});
