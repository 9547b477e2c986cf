/**
 * Many writers about few people and companies: everything that creates, names, moves, joins, parts and erases them at the same
 * time. Nobody is told of a fault, and the database never has to end a deadlock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { inspect } from "../database.ts";
import type { App } from "./app.ts";
import type { Chance } from "./chance.ts";
import type { Tenant } from "./requests.ts";
import type { Verdict } from "./verdict.ts";

export type Racing = { app: App; tenant: Tenant; chance: Chance; admin: pg.Client; verdict: Verdict };

const WRITERS = 12;
/** Counts of the database come once a second. */
const COUNTED_MS = 1_200;

const domains = ["race.example", "other.example"] as const;
const emails = ["anna@race.example", "ben@race.example", "cleo@other.example", "dan@other.example"] as const;

type Ask = { path: string; method?: "PATCH" | "POST"; body: unknown };
type Draw = (chance: Chance, merges: string[]) => Ask;

const text = (chance: Chance) => `text ${chance.int(1, 1_000)}`;
const external = (chance: Chance) => String(chance.int(1, 10 ** 9));

const draws: readonly Draw[] = [
  (chance) => ({ path: "/v2/people", body: { email: chance.pick(emails), job_title: text(chance) } }),
  (chance) => ({
    path: "/v2/people/bulk",
    body: { people: [1, 2, 3].map(() => ({ email: chance.pick(emails), first_name: text(chance) })) },
  }),
  (chance) => ({ path: "/v2/companies", body: { domain: chance.pick(domains), name: text(chance) } }),
  (chance) => ({
    path: `/v2/people/${encodeURIComponent(chance.pick(emails))}`,
    method: "PATCH",
    body: { job_title: text(chance), status: chance.pick(["active", "archived"]), email: chance.pick(emails) },
  }),
  (chance) => ({
    path: `/v2/companies/${chance.pick(domains)}`,
    method: "PATCH",
    body: { name: text(chance), status: chance.pick(["active", "archived"]) },
  }),
  (chance) => ({ path: "/v2/accounts/merge", body: { keep: chance.pick(emails), drop: chance.pick(emails) } }),
  (chance) => ({ path: "/v2/accounts/merge", body: { keep: chance.pick(domains), drop: chance.pick(domains) } }),
  (chance, merges) => ({
    path: "/v2/accounts/unmerge",
    body: { merge_id: merges.length > 0 ? chance.pick(merges) : "01900000-0000-7000-8000-000000000000" },
  }),
  (chance) => ({ path: "/v2/accounts/erase", body: { focus: chance.pick(emails) } }),
  (chance) => ({
    path: `/v2/accounts/${encodeURIComponent(chance.pick(emails))}/identifiers`,
    body: { kind: "email", value: chance.pick([...emails, `x${chance.int(1, 5)}@${chance.pick(domains)}`]) },
  }),
  (chance) => ({
    path: `/v2/accounts/${encodeURIComponent(chance.pick(emails))}/identifiers/remove`,
    body: { kind: "email", value: `x${chance.int(1, 5)}@${chance.pick(domains)}` },
  }),
  (chance) => ({
    path: "/api/v1/capture",
    body: {
      email: chance.pick(emails),
      type: chance.pick(["call", "reply_received", "meeting_scheduled"]),
      source: "s",
      external_id: external(chance),
    },
  }),
  (chance) => ({
    path: "/api/v1/capture/batch",
    body: {
      activities: [1, 2, 3, 4].map(() => ({ email: chance.pick(emails), type: "call", external_id: external(chance) })),
    },
  }),
  (chance) => ({
    path: "/v2/observations",
    body: {
      focus: chance.pick([...emails, ...domains]),
      observations: [
        { kind: "event", property: "interaction.website_visit", value: {} },
        { kind: "state", property: "region", value: text(chance) },
      ],
    },
  }),
  (chance) => ({ path: "/v2/notes", body: { focus: chance.pick([...emails, ...domains]), content: text(chance) } }),
];

/** Writes until the time is up, then looks for deadlocks, and for rows that do not follow from the evidence. */
export async function playRaces(ms: number, on: Racing): Promise<void> {
  const { app, tenant, chance, verdict } = on;
  const before = await countDeadlocks(on.admin);
  const logged = await logSize(on.admin);
  const end = performance.now() + ms;
  const merges: string[] = [];
  const writer = async (own: Chance) => {
    while (performance.now() < end && app.complaints().length === 0) await write(own, own.pick(draws), merges, on);
  };
  // As many captures of one address beside its erasing as fit in: the narrowest race there is.
  const capturing = async (own: Chance) => {
    const draw: Draw = () => ({
      path: "/api/v1/capture",
      body: { email: emails[0], type: "call", external_id: external(own) },
    });
    while (performance.now() < end && app.complaints().length === 0) await write(own, draw, merges, on);
  };
  await Promise.all([
    ...Array.from({ length: WRITERS }, () => writer(chance.fork())),
    ...Array.from({ length: 3 }, () => capturing(chance.fork())),
  ]);
  await sleep(COUNTED_MS);
  const deadlocks = (await countDeadlocks(on.admin)) - before;
  verdict.count("deadlocks", deadlocks);
  verdict.count("begun again", app.begunAgain());
  if (deadlocks > 0) verdict.wrong("fault", `${deadlocks} deadlocks ${await deadlocksIn(on.admin, logged)}`);
  await checkRebuild(tenant, verdict);
}

async function write(chance: Chance, draw: Draw, merges: string[], { app, tenant, verdict }: Racing): Promise<void> {
  const { path, method = "POST", body } = draw(chance, merges);
  const began = performance.now();
  const response = await fetch(app.url + path, {
    method,
    headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { merge_id?: string; error?: string };
  verdict.count("requests");
  verdict.count(`answers of ${response.status}`);
  if (performance.now() - began > 1_000) verdict.count("answers after a second");
  if (response.status >= 500) {
    const why = await app.errorOf(response.headers.get("x-request-id") ?? "");
    verdict.wrong(
      "fault",
      `${method} ${path.replaceAll(/[^/]+(%40|\.)[^/]+/g, ":focus")} answered ${response.status} ${answer.error}: ${why}`,
    );
  }
  if (answer.merge_id) {
    merges.push(answer.merge_id);
    if (merges.length > 5) merges.shift();
  }
}

async function countDeadlocks(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    "SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0]?.count ?? 0;
}

/** How long the database's log is; null: it keeps none that can be read. */
async function logSize(admin: pg.Client): Promise<number | null> {
  const { rows } = await admin.query<{ size: number | null }>(
    "SELECT (pg_stat_file(pg_current_logfile(), true)).size::int AS size",
  );
  return rows[0]?.size ?? null;
}

/** What the database wrote about deadlocks since its log was this long. */
async function deadlocksIn(admin: pg.Client, since: number | null): Promise<string> {
  if (since === null) return "(without a log)";
  const { rows } = await admin.query<{ log: string }>(
    "SELECT pg_read_file(pg_current_logfile(), $1, 10000000) AS log",
    [since],
  );
  const lines = (rows[0]?.log ?? "").split("\n");
  const about = lines.flatMap((line, place) =>
    line.includes("deadlock detected") ? lines.slice(place, place + 9) : [],
  );
  return about.slice(0, 60).join("\n");
}

/** Everything that is shown follows from the evidence. */
async function checkRebuild({ stage }: Tenant, verdict: Verdict): Promise<void> {
  const { differences } = await rebuildWorkspace(stage.caller);
  for (const { projection, before, after } of differences) {
    const [was, is] = [before, after].map((row) => JSON.parse(row ?? "{}") as Record<string, unknown>) as [
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    const columns = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
      (name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
    );
    verdict.wrong("half done", `${projection}: rebuilding changes ${columns.join(", ")}`);
  }
  const identifiers = await inspect<{ count: number }>(
    `SELECT count(*)::int FROM identifiers i JOIN entities e ON e.workspace_id = i.workspace_id AND e.id = i.entity_id
     WHERE i.workspace_id = $1 AND i.retired_at IS NULL AND e.merged_into IS NOT NULL`,
    [stage.id],
  );
  if (identifiers[0]?.count) verdict.wrong("half done", "an identifier names a record that was merged into another");
}
