import { describe, expect, test } from "vitest";
import { connected } from "#lib/db/connected.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { countForChecks } from "./jobs.ts";

const { call } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  return { workspace, key: await workspace.key() };
}

describe("the checks of a workspace", () => {
  type Check = {
    id: string;
    state: string;
    count: number;
    request: string | null;
    items: { text: string }[];
    counted_at: string | null;
  };
  const checksOf = async (key: string) =>
    (await call("/v2/workspace/checks", { key })).body as { state: string; checks: Check[] };
  const counted = (checks: Check[]) => checks.filter(({ count }) => count > 0);

  test("find nothing in an empty workspace", async () => {
    const { key } = await setUp();
    const { state, checks } = await checksOf(key);
    expect({ state, found: counted(checks) }).toEqual({ state: "fine", found: [] });
    expect(checks).toHaveLength(14);
  });

  test("count what stopped and what is weak, with requests that list it, in this workspace only", async () => {
    const { workspace, key } = await setUp();
    const other = await setUp();
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
    const record = (focus: string, observations: object[]) =>
      call("/v2/observations", { key, body: { focus, observations } });
    const calls = [30, 29, 28, 27, 26].map((ago) => ({
      kind: "event",
      property: "interaction.call",
      observed_at: day(ago),
      source: "dialer",
    }));
    const title = { kind: "state", property: "budget", value: "50k", observed_at: day(120), source: "enrichment" };
    for (const email of ["anna@acme.com", "anna.smith@acme.com"])
      await call("/v2/people", {
        key,
        body: { email, first_name: "Anna", last_name: "Smith", pipeline_stage: "evaluating" },
      });
    await record("anna@acme.com", [...calls, title]);
    await call("/v2/people", { key, body: { email: "bob@acme.com" } });
    await call("/v2/people/bob@acme.com", { method: "PATCH", key, body: { email: null } });
    const fact = { kind: "state", value: { category: "ICP", content: "Fintechs" }, observed_at: day(120) };
    await record("workspace", [{ ...fact, property: `note.${crypto.randomUUID()}` }]);
    await inspect(
      `INSERT INTO inbound_deliveries (workspace_id, id, provider, key, status, answer, message, without_contact, headers, payload)
       SELECT $1, gen_random_uuid(), 'fathom', n::text, 'processed', '{"ok":true,"logged":0}', 'None of the invitees is a contact.', true,
         CASE WHEN n = 6 THEN '{"user-agent":"Rapport signed test"}' ELSE '{}' END::jsonb, '{}' FROM generate_series(1, 6) AS n`,
      [workspace.id],
    );
    await inspect(
      `INSERT INTO triggers (workspace_id, id, url, events, secret, status, created_by)
       VALUES ($1, gen_random_uuid(), 'https://acme.example', '{}', '', 'disabled', 'user:x')`,
      [workspace.id],
    );
    // One that is read, one that is not, one whose password was refused, one that is disconnected.
    for (const [address, state, verified, message] of [
      ["fine@acme.example", "connected", true, null],
      ["slow@acme.example", "connected", true, "The server did not answer."],
      ["refused@acme.example", "connected", false, "The password was refused."],
      ["left@acme.example", "disconnected", false, null],
    ])
      await inspect(
        `INSERT INTO mailboxes (workspace_id, id, user_id, address, host, port, secure, login, credentials, since, folders, blocked, state, is_verified, message)
         VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2, 'imap.acme.example', 993, true, $2, '', now(), '{}', '{}', $3::mailbox_state, $4, $5)`,
        [workspace.id, address, state, verified, message],
      );
    await workspace.key(["read"], { expiresAt: new Date(Date.now() + 3 * 86_400_000) });
    expect(counted((await checksOf(key)).checks).map(({ id }) => id)).not.toContain("duplicates");
    await countForChecks(workspace.id);
    await countForChecks(other.workspace.id);

    const { state, checks } = await checksOf(key);
    expect(state).toBe("failing");
    expect(Object.fromEntries(counted(checks).map((check) => [check.id, [check.state, check.count]]))).toEqual({
      triggers: ["failing", 1],
      keys: ["warning", 1],
      mailboxes: ["warning", 2],
      silent_sources: ["warning", 1],
      unmatched_activities: ["warning", 5],
      duplicates: ["warning", 1],
      unreachable_people: ["warning", 1],
      aged_facts: ["fine", 1],
      single_source_facts: ["fine", 1],
      profile_sections: ["warning", 1],
    });
    expect(JSON.stringify(checks)).not.toMatch(/slow@|refused|imap/);
    const items = Object.fromEntries(checks.map((check) => [check.id, check.items.map(({ text }) => text)]));
    expect(items).toMatchObject({
      silent_sources: [expect.stringMatching(/^dialer, last on /)],
      duplicates: ["Anna Smith: same name and company"],
      aged_facts: ["Anna Smith: budget"],
      single_source_facts: ["Anna Smith: budget"],
      profile_sections: ["ICP: not confirmed for 90 days"],
    });
    for (const { request, count } of counted(checks).filter(({ request }) => request?.includes("?"))) {
      const { body } = await call(request?.replace("GET ", "") ?? "", { key });
      const rows = (body.people ?? body.deliveries ?? body.items) as unknown[];
      expect([request, rows.length]).toEqual([request, count]);
    }
    expect(counted((await checksOf(other.key)).checks)).toEqual([]);

    await call("/v2/accounts/merge", { key, body: { keep: "anna@acme.com", drop: "anna.smith@acme.com" } });
    const merged = (await checksOf(key)).checks.find(({ id }) => id === "duplicates");
    expect(merged).toMatchObject({ state: "fine", count: 0, items: [] });
  });

  test("are what the list of duplicates shows where comparing takes long, without who was merged or archived since", async () => {
    const { workspace, key } = await setUp();
    const person = async (email: string, last_name: string) => {
      const { body } = await call("/v2/people", { key, body: { email, first_name: "Anna", last_name } });
      return (body as { person: { id: string } }).person.id;
    };
    const duplicates = async () =>
      (await call("/v2/accounts/duplicates", { key })).body as {
        suggestions: { reason: string; detail: string; records: { entity_id: string }[] }[];
        counted_at: string | null;
      };
    const alike = async () =>
      (await duplicates()).suggestions.map(({ records }) => records.map((one) => one.entity_id));
    const [anna, other] = [await person("anna@acme.com", "Smith"), await person("a.smith@acme.com", "Smith")];
    const [ann, third] = [await person("ann@acme.com", "Jones"), await person("a.jones@acme.com", "Jones")];
    await countForChecks(workspace.id, new Date("2026-06-03T08:17:00Z"));
    const [lee] = [await person("lee@acme.com", "Lee"), await person("a.lee@acme.com", "Lee")];
    expect(await alike()).toHaveLength(3);

    const took = (ms: number) =>
      inspect(
        "UPDATE check_counts SET duplicates = jsonb_set(duplicates, '{ms}', to_jsonb($2::int)) WHERE workspace_id = $1",
        [workspace.id, ms],
      );
    await took(1_001);
    expect(await duplicates()).toMatchObject({
      suggestions: [
        { reason: "same_name_and_company", detail: "Anna Jones at acme.com", records: [{}, {}] },
        { reason: "same_name_and_company", detail: "Anna Smith at acme.com", records: [{}, {}] },
      ],
      counted_at: "2026-06-03T08:17:00.000Z",
    });
    await call("/v2/accounts/merge", { key, body: { keep: anna, drop: other } });
    expect(await alike()).toEqual([[ann, third]]);
    await call(`/v2/people/${third}`, { method: "PATCH", key, body: { status: "archived" } });
    expect(await alike()).toEqual([]);
    const [{ text } = { text: "" }] = await inspect<{ text: string }>(
      "SELECT duplicates::text AS text FROM check_counts WHERE workspace_id = $1",
      [workspace.id],
    );
    expect(text).not.toMatch(/anna|acme/i);
    await took(1_000);
    expect((await alike()).flat()).toContain(lee);
  });

  test("keep what was counted when a statement takes too long, and try no more often than it pays", async () => {
    const { workspace, key } = await setUp();
    const duplicates = async () => (await checksOf(key)).checks.find(({ id }) => id === "duplicates")?.counted_at;
    const tried = () =>
      inspect("SELECT FROM check_counts WHERE workspace_id = $1 AND tried_at > counted_at", [workspace.id]);
    /** Counts while another holds a table, and cancels what waits for it, as the limit of a statement does. */
    const cancelled = (now: Date) =>
      connected({ connectionString: database.adminUrl }, async (other) => {
        await other.query("BEGIN");
        await other.query("LOCK TABLE observations, claims, entities, property_values IN ACCESS EXCLUSIVE MODE");
        let ended = false;
        const counting = countForChecks(workspace.id, now).finally(() => {
          ended = true;
        });
        const waiting = "wait_event_type = 'Lock' AND datname = current_database()";
        const cancel = async () => {
          await other.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${waiting}`);
          return ended;
        };
        await Promise.all([counting, expect.poll(cancel).toBe(true)]);
        await other.query("ROLLBACK");
      });
    const at = (minutes: number) => new Date(Date.parse("2026-06-03T08:17:00Z") + minutes * 60_000);
    await cancelled(at(0));
    expect(await duplicates()).toBeNull();
    await inspect("UPDATE check_counts SET took_ms = 90000 WHERE workspace_id = $1", [workspace.id]);
    await countForChecks(workspace.id, at(60));
    expect(await duplicates()).toBeNull();
    await countForChecks(workspace.id, at(1_501));
    expect(await duplicates()).toBe("2026-06-04T09:18:00.000Z");
    await inspect("UPDATE check_counts SET took_ms = 1 WHERE workspace_id = $1", [workspace.id]);
    await cancelled(at(1_600));
    expect(await duplicates()).toBe("2026-06-04T09:18:00.000Z");
    expect(await tried()).toHaveLength(1);
  });

  test("count what reads everyone in a job, and no more often than it pays", async () => {
    const { workspace, key } = await setUp();
    const duplicates = async () => (await checksOf(key)).checks.find(({ id }) => id === "duplicates")?.counted_at;
    expect(await duplicates()).toBeNull();
    const [first, soon, later] = [0, 60_000, 90_000].map(
      (after) => new Date(Date.parse("2026-06-03T08:17:00Z") + after),
    );
    await countForChecks(workspace.id, first);
    await inspect("UPDATE check_counts SET took_ms = 61 WHERE workspace_id = $1", [workspace.id]);
    await countForChecks(workspace.id, soon);
    expect(await duplicates()).toBe("2026-06-03T08:17:00.000Z");
    await countForChecks(workspace.id, later);
    expect(await duplicates()).toBe("2026-06-03T08:18:30.000Z");
  });
});
