import { expect, test } from "vitest";
import "./service.ts";
import "#lib/domain/overview/service.ts";
import "#lib/domain/facts/service.ts";
import { declared } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { writeFileSync } from "node:fs";

test("plans", { timeout: 900_000 }, async () => {
  const ws = await createTestWorkspace();
  const id = ws.id;
  const u = (prefix: string, n: string) => `('${prefix}000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  const say: string[] = [];
  const run = async (what: string, text: string) => {
    const t = Date.now();
    await inspect(text, []);
    say.push(`${what}: ${Date.now() - t} ms`);
  };
  const P = 250_000, C = 20_000;
  await run("entities", `INSERT INTO entities (workspace_id, id, type) SELECT '${id}', ${u("aa", "n")}, 'person' FROM generate_series(1, ${P}) n`);
  await run("entities c", `INSERT INTO entities (workspace_id, id, type) SELECT '${id}', ${u("cc", "n")}, 'company' FROM generate_series(1, ${C}) n`);
  await run("people", `INSERT INTO people (workspace_id, id, email, company_id, last_activity_at, source, created_at, updated_at, search, wire)
    SELECT '${id}', ${u("aa", "n")}, 'p' || n || '@c' || (n % ${C} + 1) || '.com', ${u("cc", `CASE WHEN n < 5000 THEN 1 ELSE n % ${C} + 1 END`)}, now() - (n % 365) * interval '1 day', 'api', now(), now(), 'p' || n, '{}' FROM generate_series(1, ${P}) n`);
  await run("companies", `INSERT INTO companies (workspace_id, id, domain, source, created_at, updated_at, search)
    SELECT '${id}', ${u("cc", "n")}, 'c' || n || '.com', 'api', now(), now(), 'c' || n FROM generate_series(1, ${C}) n`);
  await run("events", `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
    SELECT '${id}', gen_random_uuid(), ${u("aa", `n % ${P} + 1`)}, 'event', (ARRAY['interaction.call','interaction.email_sent','interaction.email_received','interaction.website_visit'])[n % 4 + 1],
     '{"description": "An e-mail about the pilot and what comes next"}', CASE WHEN n % 5000 = 0 THEN 'fathom' ELSE 'api' END, 'observed', now() - ((n::bigint * 7919) % 31536000) * interval '1 second', 'api_key:x'
     FROM generate_series(1, 1000000) n`);
  await run("rare", `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
    SELECT '${id}', gen_random_uuid(), ${u("aa", "n")}, 'event', 'interaction.meeting_held', '{}', 'cal_com', 'observed', now() - n * interval '1 day', 'api_key:x' FROM generate_series(1, 300) n`);
  await run("vacuum", "VACUUM ANALYZE");
  const wsOf = (name: string) => {
    const s = declared.find((each) => each.name === name);
    if (!s) throw new Error(name);
    return s;
  };
  const explain = async (title: string, name: string, values: unknown[]) => {
    const { text } = wsOf(name);
    await withWorkspace(id, async (db) => {
      const times: number[] = [];
      for (let i = 0; i < 30; i++) {
        const t = performance.now();
        await db.query(wsOf(name), values);
        times.push(performance.now() - t);
      }
      times.sort((a, b) => a - b);
      const rows = await db.query<{ "QUERY PLAN": string }>({ name: "", text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}` }, values);
      say.push(`\n== ${title}: p50 ${times[15]?.toFixed(1)} p95 ${times[28]?.toFixed(1)} ms`, ...rows.map((row) => row["QUERY PLAN"]));
    });
  };
  const far = ["infinity", Number.MAX_SAFE_INTEGER, "-infinity"];
  await explain("feed all", "feed_happened", [...far, null, null, 51]);
  await explain("feed type", "feed_happened", [...far, ["interaction.call", "call"], null, 51]);
  await explain("feed rare type", "feed_happened", [...far, ["interaction.meeting_held", "meeting_held"], null, 51]);
  await explain("feed source", "feed_happened", [...far, null, "fathom", 51]);
  await explain("feed nothing", "feed_happened", [...far, null, "nothing", 51]);
  await explain("horizon", "feed_horizon", far);
  const middle = [new Date(Date.now() - 180 * 86_400_000), 5, new Date(Date.now() - 190 * 86_400_000)];
  await explain("feed middle", "feed_happened", [...middle, null, null, 51]);
  const [ids] = await inspect<{ a: string[]; c: string[] }>(`SELECT (SELECT array_agg(id) FROM (SELECT id FROM people WHERE workspace_id = '${id}' ORDER BY last_activity_at DESC, id LIMIT 100) x) AS a, (SELECT array_agg(id) FROM (SELECT id FROM companies WHERE workspace_id = '${id}' ORDER BY id LIMIT 100) x) AS c`);
  const starts = Array.from({ length: 12 }, (_, w) => new Date(Date.now() - (12 - w) * 7 * 86_400_000));
  await explain("trends of 100 people", "overview_trends", [ids?.a, starts, new Date()]);
  await explain("trends of 40 people", "overview_trends", [ids?.a.slice(0, 40), starts, new Date()]);
  await explain("trends of 100 companies", "overview_trends", [ids?.c, starts, new Date()]);
  await explain("trends of 40 companies", "overview_trends", [ids?.c.slice(40, 80), starts, new Date()]);
  await explain("trend of the large company", "overview_trends", [ids?.c.slice(0, 1), starts, new Date()]);
  await explain("stages of the large company", "overview_stages_of_company", [ids?.c[0]]);
  await explain("entries", "facts_entries", [500]);
  writeFileSync("/tmp/pages-plans.txt", say.join("\n"));
  expect(1).toBe(1);
});
