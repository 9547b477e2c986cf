/**
 * A release is rolled out: instances of the version before are replaced by those of this one, on one database and under
 * writes. Nothing that was acknowledged is missing or there twice, no request is refused for the other version's work, both
 * answer the same, and this version derives the same from what either wrote.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { operatorOf } from "#lib/auth/operator.ts";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { closePool } from "#lib/db/pool.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { sealNext } from "#lib/domain/records/audit/service/seal.ts";
import { verifyChain } from "#lib/domain/records/audit/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { cookieOf } from "../conformance/stage.ts";
import { bootWith, database, inspect } from "../database.ts";
import { restOfJobs } from "../jobs.fixture.ts";
import { roleOf } from "../postgres.ts";
import { WebhookTarget } from "../webhook-target.fixture.ts";
import { type App, startApp } from "./app.ts";
import type { Chance } from "./chance.ts";
import { differenceOf, readsOf } from "./rolling-reads.ts";
import type { Verdict } from "./verdict.ts";

type Playing = { pool: number; earlier: string; chance: Chance; verdict: Verdict };

type Rollout = Playing & {
  /** Those that take requests. */
  apps: App[];
  workspaceId: string;
  key: string;
  /** Of a person who signed in before the release. */
  cookie: string;
  isWriting(): boolean;
  /** Set while answers are compared: writers wait. */
  isPaused: boolean;
  /** How many writes are under way. */
  underWay: number;
  nextNumber(): number;
  acknowledged: Acknowledged[];
};

type Kind = "capture" | "note" | "task" | "person" | "fact";
type Acknowledged = { kind: Kind; number: number };

const WRITERS = 6;
/** One instance is replaced in less time, else two. */
const TWO_MS = 10_000;
const PATIENCE_MS = 20_000;
/** A request that finds no instance is sent again for so long. */
const TRIES = 200;
const PEOPLE = 12;
/** Both versions deliver what waits; the last of it is under way. */
const DELIVERED_MS = 30_000;

export async function playRolling(ms: number, playing: Playing): Promise<void> {
  await emptyDatabase();
  const target = await new WebhookTarget().start();
  const started: App[] = [];
  const start = async (root?: string): Promise<App> => {
    const settings = { ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" };
    const app = await startApp({ pool: playing.pool, settings, ...(root === undefined ? {} : { root }) });
    started.push(app);
    return app;
  };
  let writing = true;
  let number = 0;
  try {
    const first = await start(playing.earlier);
    const others = ms < TWO_MS ? [] : [await start(playing.earlier)];
    const on: Rollout = {
      ...playing,
      ...createWorkspace(playing.earlier),
      apps: [first, ...others],
      cookie: "",
      isWriting: () => writing,
      isPaused: false,
      underWay: 0,
      nextNumber: () => number++,
      acknowledged: [],
    };
    on.cookie = await signedIn(on.workspaceId);
    const trigger = await post(first, on.key, "/v2/workspace/triggers", {
      url: target.url(),
      events: ["activity.call"],
    });
    if (!trigger.ok) throw new Error(`there is no trigger: ${await trigger.text()}`);
    const writers = Array.from({ length: WRITERS }, () => write(on.chance.fork(), on));
    const all = together([...writers, openPages(on)]).finally(() => {
      writing = false;
    });
    all.catch(() => undefined); // is thrown below
    await rollOut(ms, on, start);
    writing = false;
    await all;
    await check(on, target);
  } finally {
    writing = false;
    for (const app of started) for (const complaint of app.complaints()) playing.verdict.wrong("fault", complaint);
    for (const app of started) await app.stop();
    await target.stop();
  }
}

/** Replaces one instance after another. Before the last one goes, both versions answer the same. */
async function rollOut(ms: number, on: Rollout, start: () => Promise<App>): Promise<void> {
  const old = [...on.apps];
  const part = ms / (old.length * 2);
  for (const app of old) {
    await sleep(part);
    const replacement = await start();
    on.apps.push(replacement);
    await sleep(part);
    if (app === old.at(-1)) await compare(app, replacement, on);
    await retire(app, on);
  }
}

/** It takes no new requests, answers those it has, and ends, as a load balancer and a supervisor do. */
async function retire(app: App, { apps, verdict }: Rollout): Promise<void> {
  apps.splice(apps.indexOf(app), 1);
  const { code, output } = await app.stop();
  if (code !== 0) verdict.wrong("fault", `an instance of the version before ended with ${code}: ${output.slice(-500)}`);
  verdict.count("instances replaced");
}

/** The database of the test file as a new one: what is there is of this version. */
async function emptyDatabase(): Promise<void> {
  await closePool();
  const role = roleOf(inject("testServer").appUrl);
  for (const schema of ["public", "graphile_worker"]) await inspect(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await inspect(`CREATE SCHEMA public AUTHORIZATION ${role}`);
  bootWith();
}

/** As an operator of the version before makes one. */
function createWorkspace(root: string): { workspaceId: string; key: string } {
  const { sessionSecret, encryptionKeys } = getBoot().secrets;
  const words = [
    "admin",
    "workspace",
    "create",
    "--name",
    "Rolling",
    "--owner-email",
    "owner@rolling.example",
    "--json",
  ];
  const printed = execFileSync(process.execPath, [path.join(root, "bin/rapport.mjs"), ...words], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      RAPPORT_DATA_DIR: database.dataDir,
      SESSION_SECRET: sessionSecret,
      ENCRYPTION_KEY: encryptionKeys.map(({ id, key }) => `${id}:${key.toString("base64")}`).join(","),
    },
  });
  const { workspace_id: workspaceId, api_key: key } = JSON.parse(printed.toString());
  return { workspaceId, key };
}

/** A member who signed in while all instances were of the version before, with the columns that it knows. */
async function signedIn(workspaceId: string): Promise<string> {
  const [userId, sessionId] = [newId(), newId()];
  await inspect("INSERT INTO users (id, email) VALUES ($1, 'member@rolling.example')", [userId]);
  await inspect("INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, $2, $3, 'member')", [
    ...[workspaceId, newId(), userId],
  ]);
  await inspect("INSERT INTO sessions (id, user_id, expires_at) VALUES ($1, $2, now() + interval '9 days')", [
    ...[sessionId, userId],
  ]);
  return cookieOf(userId, sessionId);
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });

const post = (app: App, key: string, address: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(app.url + address, {
    method: "POST",
    headers: { ...headersOf(key), ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });

const writes: Readonly<Record<Kind, (number: number, email: string) => [path: string, body: object]>> = {
  capture: (number, email) => [
    "/api/v1/capture",
    { email, type: "call", source: "rolling", external_id: `r-${number}` },
  ],
  note: (number, email) => ["/v2/notes", { focus: email, content: `Note r-${number}` }],
  task: (number) => ["/v2/tasks", { title: `Task r-${number}` }],
  person: (number, email) => ["/v2/people", { email, job_title: `Title r-${number}`, region: `Region ${number % 3}` }],
  fact: (number) => ["/v2/workspace/facts", { section: "ICP", content: `Fintechs r-${number}` }],
};
const kinds: readonly Kind[] = ["capture", "capture", "capture", "note", "task", "person", "fact"];

async function write(chance: Chance, on: Rollout): Promise<void> {
  while (on.isWriting()) {
    if (on.isPaused) {
      await sleep(10);
      continue;
    }
    const [kind, number] = [chance.pick(kinds), on.nextNumber()];
    const [address, body] = writes[kind](number, `p${chance.int(1, PEOPLE)}@rolling.example`);
    on.underWay++;
    if (await acknowledgedAt(address, body, number, chance, on)) on.acknowledged.push({ kind, number });
    on.underWay--;
  }
}

/** Sends a write until it is acknowledged, to another instance when one was replaced meanwhile. */
async function acknowledgedAt(address: string, body: object, number: number, chance: Chance, on: Rollout) {
  const { apps, key, verdict } = on;
  for (let tries = 0; tries < TRIES; tries++) {
    const app = chance.pick(apps);
    const headers = { "idempotency-key": `rolling-${number}` };
    const answer = await post(app, key, address, body, headers).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (answer?.ok && text !== null) {
      verdict.count(tries === 0 ? "writes" : "writes sent again");
      return true;
    }
    // It was cut off, is still under way elsewhere, or waits for the migration.
    const again = !answer || text == null || answer.status === 503 || text.includes("idempotency_key_in_use");
    if (!again) {
      verdict.wrong(answer.status >= 500 ? "fault" : "false refusal", `POST ${address}: ${answer.status} ${text}`);
      return false;
    }
    await sleep(50);
  }
  verdict.wrong("no answer", `POST ${address} found no instance`);
  return false;
}

/** The person who signed in before stays signed in, whichever instance answers. */
async function openPages(on: Rollout): Promise<void> {
  const chance = on.chance.fork();
  while (on.isWriting()) {
    const app = chance.pick(on.apps);
    const address = `${app.url}/api/app/${on.workspaceId}/v2/people`;
    const answer = await fetch(address, { headers: { cookie: on.cookie } }).catch(() => null);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer && !answer.ok && answer.status !== 503) {
      const cause = await app.errorOf(answer.headers.get("x-request-id") ?? "");
      on.verdict.wrong("false refusal", `a session: ${answer.status}, ${cause}`);
    }
    if (answer?.ok) on.verdict.count("pages");
    await sleep(30);
  }
}

/** Both versions answer every read of the version before the same. Jobs may still write, so a difference counts when it stays. */
async function compare(before: App, after: App, on: Rollout): Promise<void> {
  const { key, verdict, workspaceId } = on;
  on.isPaused = true;
  while (on.underWay > 0) await sleep(10);
  await restOfJobs(workspaceId);
  for (const read of await readsOf(before.url, key)) {
    let difference: string | null = null;
    for (let tries = 0; tries < 5; tries++) {
      difference = await differenceOf(read, before.url, after.url);
      if (difference === null) break;
      await sleep(200);
    }
    if (difference === null) verdict.count("reads that agree");
    else verdict.wrong("fault", `${read.name} answers otherwise: ${difference}`);
  }
  on.isPaused = false;
}

async function check(on: Rollout, target: WebhookTarget): Promise<void> {
  const { workspaceId, acknowledged, verdict } = on;
  const made = {
    capture: "SELECT external_id AS name FROM observations WHERE workspace_id = $1 AND external_id LIKE 'r-%'",
    note: "SELECT content AS name FROM notes WHERE workspace_id = $1",
    task: "SELECT title AS name FROM tasks WHERE workspace_id = $1",
  };
  for (const [kind, text] of Object.entries(made)) {
    const names = (await inspect<{ name: string }>(text, [workspaceId])).map(({ name }) => name.replace(/^.* /, ""));
    const times = Map.groupBy(names, (name) => name);
    for (const { number } of acknowledged.filter((each) => each.kind === kind))
      if (times.get(`r-${number}`)?.length !== 1)
        verdict.wrong("half done", `${kind} ${number} is there ${times.get(`r-${number}`)?.length ?? 0} times`);
  }

  const called = acknowledged.filter(({ kind }) => kind === "capture").map(({ number }) => `r-${number}`);
  const missing = () => {
    const delivered = new Set(target.received.map(({ body }) => body.data.external_id));
    return called.filter((name) => !delivered.has(name));
  };
  for (const since = performance.now(); missing().length > 0; await sleep(50))
    if (performance.now() - since > DELIVERED_MS) break;
  verdict.count("events delivered", called.length - missing().length);
  if (missing().length > 0)
    verdict.wrong("half done", `${missing().length} events were not delivered: ${missing()[0]}`);

  await restOfJobs(workspaceId);
  const operator = await operatorOf(workspaceId, "test");
  const rebuilt = await rebuildWorkspace(operator);
  verdict.count("claims and rows derived again", rebuilt.projections);
  for (const difference of rebuilt.differences) verdict.wrong("half done", JSON.stringify(difference));
  for (let left = await sealNext(operator.workspaceId); left !== "done"; left = await sealNext(operator.workspaceId))
    await sleep(100);
  const chain = await verifyChain(operator.workspaceId);
  verdict.count("audit entries in blocks", chain.entries);
  if (chain.problem) verdict.wrong("fault", `the audit log: ${JSON.stringify(chain.problem)}`);
}
