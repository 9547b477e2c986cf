/** Approvals and the stream of changes of two workspaces under load: nothing crosses, for requests, decisions and streams. */
import { expect, test } from "vitest";
import { createStage } from "#lib/testing/conformance/stage.ts";
import { inspect } from "#lib/testing/database.ts";
import { eventsOf } from "#lib/testing/events.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const { call, url } = useServer();

/** So many changes each key asks for; one key is revoked in the middle. */
const ASKED = 12;

type ListedApproval = { id: string; status: string; requested_by: { id: string } };

/** A workspace with two keys whose writes need approval, its owner's browser, and a stream that hears everything. */
async function tenant(name: string) {
  const stage = await createStage();
  const askers = await Promise.all(
    ["one", "two"].map(async (which) => ({
      mark: `${name}-${which}`,
      key: await stage.key(["write"], { approval: "writes" }),
      ids: [] as string[],
    })),
  );
  const stream = await eventsOf(`${url()}/v2/changes?cursor=now`, {
    authorization: `Bearer ${await stage.key(["read"])}`,
  });
  await stream.next();
  const { cookie } = await stage.person("owner");
  const app = (path: string, body?: object) =>
    call(`/api/app/${stage.id}${path}`, {
      headers: { cookie, origin: url(), "sec-fetch-site": "same-origin" },
      ...(body ? { body } : {}),
    });
  return { stage, name, askers, app, stream };
}

type Tenant = Awaited<ReturnType<typeof tenant>>;
type Asker = Tenant["askers"][number];

/** Asks, and looks at what it asked for, after each time; ends when its key is refused. */
async function asks({ mark, key, ids }: Asker): Promise<void> {
  for (let at = 0; at < ASKED; at++) {
    const asked = await call("/v2/people", {
      key,
      body: { email: `${mark}-${at}@acme.example`, first_name: `${mark}-${at}` },
    });
    if (asked.status === 401) return;
    expect(asked.status, JSON.stringify(asked.body)).toBe(202);
    ids.push(String(asked.body.approval_id));
    const seen = await call("/v2/approvals?limit=200", { key });
    if (seen.status === 401) return;
    expect((seen.body.approvals as ListedApproval[]).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  }
}

/** Decides what waits, every second of it with no, until `isOver` and nothing waits. */
async function decides({ app }: Tenant, isOver: () => boolean): Promise<void> {
  for (;;) {
    const over = isOver();
    const { body } = await app("/v2/approvals?status=pending&limit=200");
    const waiting = body.approvals as ListedApproval[];
    if (over && waiting.length === 0) return;
    for (const [at, { id }] of waiting.entries()) {
      const answer = await app(`/approvals/${id}/${at % 2 ? "reject" : "approve"}`, {});
      // The key may have been revoked since.
      expect(answer.status === 200 || answer.body.error === "approval_decided", JSON.stringify(answer.body)).toBe(true);
    }
  }
}

test("each key sees what it asked for, each owner decides it, and each stream tells its own workspace's", async () => {
  const tenants = await Promise.all([tenant("left"), tenant("right")]);
  const [left, right] = tenants as [Tenant, Tenant];
  const told = tenants.map(async ({ stream }) => {
    let text = "";
    for (let next = await stream.next(); next !== null; next = await stream.next()) {
      text += JSON.stringify(next);
      if (text.includes("the-end")) break;
    }
    stream.leave();
    return text;
  });

  let asking = true;
  const deciding = tenants.map((each) => decides(each, () => !asking));
  const [first] = left.askers as [Asker];
  const revoking = (async () => {
    while (first.ids.length < ASKED / 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const [row] = await inspect<{ id: string }>("SELECT asker_id AS id FROM approvals WHERE id = $1", [first.ids[0]]);
    await left.stage.run("revokeApiKey", { id: row?.id });
  })();
  await Promise.all([...tenants.flatMap(({ askers }) => askers.map(asks)), revoking]);
  asking = false;
  await Promise.all(deciding);

  // Neither a key of the same workspace nor one of the other reads another's change; nor does the other owner decide it.
  const [, second] = left.askers as [Asker, Asker];
  const [foreign] = right.askers as [Asker];
  for (const id of second.ids.slice(0, 2)) {
    expect((await call(`/v2/approvals/${id}`, { key: foreign.key })).status).toBe(404);
    for (const path of [`/approvals/${id}/approve`, `/approvals/${id}/reject`])
      expect((await right.app(path, {})).status).toBe(404);
  }
  for (const id of foreign.ids.slice(0, 2))
    expect((await call(`/v2/approvals/${id}`, { key: second.key })).status).toBe(404);
  expect((await call("/v2/approvals", { key: first.key })).status).toBe(401);

  for (const { stage } of tenants)
    await stage.run("upsertPerson", { email: "end@acme.example", first_name: "the-end" });
  const texts = await Promise.all(told);
  for (const [at, { stage, name, askers }] of tenants.entries()) {
    const rows = await inspect<{ status: string; input: string }>(
      "SELECT status::text, input FROM approvals WHERE workspace_id = $1",
      [stage.id],
    );
    const other = name === "left" ? "right" : "left";
    expect(JSON.stringify(rows)).not.toContain(other);
    expect(texts[at]).not.toContain(other);
    // What was approved, and nothing else, was done and told.
    for (const { mark } of askers)
      for (let n = 0; n < ASKED; n++) {
        const said = `"${mark}-${n}"`;
        const approved = rows.some(({ status, input }) => status === "approved" && input.includes(said));
        expect(texts[at]?.includes(said), said).toBe(approved);
      }
    expect(rows.map(({ status }) => status)).not.toContain("pending");
  }
});
