/**
 * Many writers about few people and companies: everything that creates, names, moves, joins, parts and erases them at the same
 * time. Nobody is told of a fault, and the database never has to end a deadlock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { headersOf } from "../conformance/surface.ts";
import { inspect } from "../database.ts";
import { recorded } from "../inbound.fixture.ts";
import { hurryJobs } from "../jobs.fixture.ts";
import recording from "../samples/fathom/webhook.minimal.json" with { type: "json" };
import type { App } from "./app.ts";
import type { Chance } from "./chance.ts";
import type { Tenant } from "./requests.ts";
import { FATHOM } from "./tenants.ts";
import type { Verdict } from "./verdict.ts";

export type Racing = { app: App; tenant: Tenant; chance: Chance; verdict: Verdict };

const WRITERS = 12;
/** Work in batches ends within this. */
const BATCHES_MS = 60_000;
const domains = ["race.example", "other.example"] as const;
const emails = ["anna@race.example", "ben@race.example", "cleo@other.example", "dan@other.example"] as const;

type Ask = { path: string; method?: "PATCH" | "POST"; body: unknown };

/** The latest ids of what the answers named, and of what was there before. */
type Ids = Record<"merge" | "lead_list" | "lead" | "task" | "delivery", string[]>;
type Draw = (chance: Chance, ids: Ids) => Ask;

const NONE = "01900000-0000-7000-8000-000000000000";
const one = (chance: Chance, ids: readonly string[]) => (ids.length > 0 ? chance.pick(ids) : NONE);

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
  (chance, ids) => ({ path: "/v2/accounts/unmerge", body: { merge_id: one(chance, ids.merge) } }),
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
      type: chance.pick(["call", "reply_received", "meeting_booked"]),
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
  (chance, ids) => ({
    path: "/v2/leads",
    body: { list_id: one(chance, ids.lead_list), email: chance.pick(emails), fields: { title: text(chance) } },
  }),
  (chance, ids) => ({
    path: "/v2/leads/bulk",
    body: { list_id: one(chance, ids.lead_list), leads: [1, 2, 3].map(() => ({ email: chance.pick(emails) })) },
  }),
  (chance, ids) => ({
    path: `/v2/leads/${one(chance, ids.lead)}`,
    method: "PATCH",
    body: { status: chance.pick(["pending", "sent", "replied"]) },
  }),
  (chance, ids) => ({
    path: "/v2/leads/bulk-delete",
    body: { lead_ids: [one(chance, ids.lead), one(chance, ids.lead)] },
  }),
  (chance) => ({ path: "/v2/tasks", body: { title: text(chance), focus: chance.pick([...emails, ...domains]) } }),
  (chance, ids) => ({
    path: `/v2/tasks/${one(chance, ids.task)}`,
    method: "PATCH",
    body: { focus: chance.pick(emails), done: chance.percent(50) },
  }),
  (chance, ids) => ({ path: `/v2/workspace/inbound-deliveries/${one(chance, ids.delivery)}/replay`, body: {} }),
];

/** A signal that everyone's job title decides, so that every change of one is scored. */
const signals = [
  { key: "title", label: "Title", weight: 5, rule: { feature: "job_title", op: "contains_any", value: ["7"] } },
];

const filters = {};
/** Work in batches, about everyone: each lasts for a while, and the next begins when it has ended. */
const seldom: readonly ((chance: Chance, on: Racing, ids: Ids) => Promise<void>)[] = [
  async (chance, on) => {
    const rows = Array.from(
      { length: 40 },
      (_, row) => `${chance.pick([...emails, `i${row}@${domains[0]}`])},${text(chance)}\n`,
    );
    const content = `Email,Job title\n${rows.join("")}`;
    const id = (await send({ path: "/v2/imports", body: { content } }, on)).import?.id ?? NONE;
    await send({ path: `/v2/imports/${id}`, method: "PATCH", body: { policy: "overwrite" } }, on);
    await send({ path: `/v2/imports/${id}/run`, body: {} }, on);
    await ended(`/v2/imports/${id}`, "import", on);
    if (chance.percent(70)) await send({ path: `/v2/imports/${id}/undo`, body: {} }, on);
    await ended(`/v2/imports/${id}`, "import", on);
  },
  async (chance, on, ids) => {
    const body = chance.pick<object>([
      { what: "people", filters, action: "set_stage", pipeline_stage: chance.pick(["interested", "evaluating"]) },
      { what: "people", filters, action: chance.pick(["archive", "restore"]) },
      { what: "companies", filters, action: chance.pick(["archive", "restore"]) },
      { what: "people", filters, action: "add_to_list", list_id: one(chance, ids.lead_list) },
    ]);
    const id = (await send({ path: "/v2/bulk-actions", body }, on)).bulk_action?.id ?? NONE;
    await ended(`/v2/bulk-actions/${id}`, "bulk_action", on);
    if (chance.percent(70)) await send({ path: `/v2/bulk-actions/${id}/undo`, body: {} }, on);
    await ended(`/v2/bulk-actions/${id}`, "bulk_action", on);
  },
  async (_chance, on) => {
    await send({ path: "/v2/workspace/scoring-model", body: { signals, force: true } }, on);
  },
  async (_chance, on) => {
    await send({ path: "/sample-data/load", body: {} }, on, true);
    await send({ path: "/sample-data/remove", body: {} }, on, true);
  },
];

/** Deliveries of recordings with the people of the race, to be processed again. */
async function deliver({ app, tenant: { stage } }: Racing): Promise<string[]> {
  for (const [place, email] of emails.entries()) {
    const invitees = [email, emails[(place + 1) % emails.length]].map((address) => ({ name: "One", email: address }));
    const { body, headers } = recorded({ ...recording, id: `rec_${place}`, calendar_invitees: invitees }, FATHOM);
    await fetch(`${app.url}/inbound/fathom/${stage.id}`, { method: "POST", headers, body: body as string });
  }
  const { deliveries } = (await stage.run("listInboundDeliveries", {})) as { deliveries: { id: string }[] };
  return deliveries.map(({ id }) => id);
}

/** Writes until the time is up, then looks for rows that do not follow from the evidence. */
export async function playRaces(ms: number, on: Racing): Promise<void> {
  const { app, tenant, chance, verdict } = on;
  const { id: list } = (await tenant.stage.run("createLeadList", { name: "Race" })).lead_list as { id: string };
  const ids: Ids = { merge: [], lead_list: [list], lead: [], task: [], delivery: await deliver(on) };
  const end = performance.now() + ms;
  const isOn = () => performance.now() < end && app.complaints().length === 0;
  const writer = async (own: Chance) => {
    while (isOn()) note(await send(own.pick(draws)(own, ids), on), ids);
  };
  // As many captures of one address beside its erasing as fit in: the narrowest race there is.
  const capturing = async (own: Chance) => {
    while (isOn())
      await send({ path: "/api/v1/capture", body: { email: emails[0], type: "call", external_id: external(own) } }, on);
  };
  const batching = async (own: Chance) => {
    while (isOn()) await own.pick(seldom)(own, on, ids);
  };
  await Promise.all([
    ...Array.from({ length: WRITERS }, () => writer(chance.fork())),
    ...Array.from({ length: 3 }, () => capturing(chance.fork())),
    ...Array.from({ length: 2 }, () => batching(chance.fork())),
  ]);
  verdict.count("begun again", app.begunAgain());
  await tenant.stage.rested();
  // A job that lost to the others too often is tried again later.
  await hurryJobs(tenant.stage.id);
  await tenant.stage.rested();
  await checkRebuild(tenant, verdict);
}

type NamedJob = { id: string; state?: string; problem?: string | null };
type RaceAnswer = { merge_id?: string; error?: string } & Partial<
  Record<"import" | "bulk_action" | "lead" | "task", NamedJob>
>;

/** Sends it, by the tenant's key or as a browser; no answer may be a fault. */
async function send(
  { path, method = "POST", body }: Ask,
  { app, tenant, verdict }: Racing,
  inBrowser = false,
): Promise<RaceAnswer> {
  const { key, cookie, stage } = tenant;
  const as = inBrowser ? { cookie, workspace: stage.id } : { key };
  const began = performance.now();
  const response = await fetch(app.url + (inBrowser ? `/api/app/${stage.id}${path}` : path), {
    method,
    headers: { ...headersOf(as, app.url), "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as RaceAnswer;
  verdict.count("requests");
  verdict.count(`answers of ${response.status}`);
  if (performance.now() - began > 1_000) verdict.count("answers after a second");
  if (response.status >= 500) {
    const why = await app.errorOf(response.headers.get("x-request-id") ?? "");
    const where = path.replaceAll(/[^/]+(%40|\.)[^/]+|[\da-f-]{36}/g, ":id");
    verdict.wrong("fault", `${method} ${where} answered ${response.status} ${answer.error}: ${why}`);
  }
  return answer;
}

/** Keeps the ids that an answer named. */
function note({ merge_id, lead, task }: RaceAnswer, ids: Ids): void {
  const named = { merge: merge_id, lead: lead?.id, task: task?.id };
  for (const [of, id] of Object.entries(named) as [keyof typeof named, string | undefined][]) {
    if (id === undefined) continue;
    ids[of].push(id);
    if (ids[of].length > 5) ids[of].shift();
  }
}

const working = ["queued", "checking", "running", "undoing"];

/** Waits until the work in batches has ended, or is none. */
async function ended(path: string, of: "import" | "bulk_action", { app, tenant, verdict }: Racing): Promise<void> {
  for (const since = performance.now(); performance.now() - since < BATCHES_MS; await sleep(50)) {
    const response = await fetch(app.url + path, { headers: headersOf({ key: tenant.key }, app.url) });
    const { state = "none", problem } = ((await response.json()) as RaceAnswer)[of] ?? {};
    if (working.includes(state)) continue;
    verdict.count(`${of}s ${state}`);
    if (state !== "failed") return;
    if (problem?.startsWith("A person was erased")) verdict.count("files with someone who was erased");
    else verdict.wrong("fault", `the ${of} failed: ${problem}`);
    return;
  }
  verdict.wrong("no answer", `${path.split("/")[2]} did not end`);
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
