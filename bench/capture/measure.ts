import pg from "pg";
import { generateContacts } from "../generate.ts";
import { type Comparison, compare, type Figures, type Target } from "../load.ts";
import { report, say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";

/** What people send: most of it does not move a stage, or only once. */
const TYPES = [
  "email_sent",
  "website_visit",
  "email_sent",
  "email_received",
  "email_opened",
  "email_sent",
  "call",
  "note",
  "email_sent",
  "meeting_scheduled",
];

const BATCH = 1_000;
const BATCHES = 24;

type Rounds = { rounds: number; seconds: number };

/**
 * Captures at `people` people: new ones and repeats compared with the bare server, and a batch compared with single
 * ones. Returns missed goals.
 */
export async function measureCapture(
  stage: Stage,
  people: number,
  rounds: Rounds = { rounds: 5, seconds: 3 },
): Promise<string[]> {
  const workspace = await stage.createWorkspace("Capture");
  await generateContacts({
    url: stage.adminUrl,
    workspaceId: workspace.id,
    people,
    companies: people / 5,
    observationsPerPerson: 5,
    workspaces: 0,
  });
  const emails = await emailsOf(stage, workspace);
  const third = Math.floor(emails.length / 3);
  const bare = await stage.bare("capture/bare.ts", workspace.id);
  const single = (some: readonly string[], id: (place: number) => string): Pick<Target, "requests" | "spread"> => ({
    spread: true,
    requests: some.slice(0, 20_000).map((email, place) => ({
      method: "POST",
      path: "/api/v1/capture",
      body: bodyOf(email, place, id(place)),
    })),
  });
  const fresh = () => "[<id>]";
  const captured = await compare(
    stage.ours(workspace, "", single(emails.slice(0, third), fresh)),
    bare("", single(emails.slice(third, 2 * third), fresh)),
    rounds,
  );

  const repeated = emails.slice(2 * third, 2 * third + 2_000);
  const repeats = single(repeated, (place) => `repeat-${place}`);
  await postBatch(stage, workspace, (repeats.requests ?? []).slice(0, BATCH));
  await postBatch(stage, workspace, (repeats.requests ?? []).slice(BATCH, 2 * BATCH));
  const answered = await compare(stage.ours(workspace, "", repeats), bare("", repeats), rounds);

  const rest = emails.slice(2 * third + 2_000);
  const alone = await measureAlone(stage, workspace, rest);
  const batched = await measureBatches(stage, workspace, rest, 1);
  const pair = await measureBatches(stage, workspace, rest, 2);
  const beside = (ours: Figures, bare: Figures): Comparison => ({ ours, bare, ratio: ours.perSecond / bare.perSecond });
  const missed = report(
    `Capture at ${people.toLocaleString("en")} people`,
    ["rapport", "bare"],
    [
      { what: "POST capture", goal: 1.5, result: captured },
      { what: "POST capture, repeated", goal: 1, result: answered },
    ],
  );
  missed.push(
    ...report(
      "Per activity",
      ["batch", "single"],
      [
        { what: `one caller, batches of ${BATCH} beside single ones`, goal: 5, result: beside(batched, alone) },
        { what: `two callers with batches beside 32 with single ones`, goal: 1, result: beside(pair, captured.ours) },
      ],
    ),
  );
  for (const [what, { ours, bare: theirs }] of [
    ["capture", captured],
    ["capture, repeated", answered],
  ] as const)
    if (ours.p99 > Math.max(1, theirs.p99)) missed.push(`${what}: p99 ${ours.p99} ms against ${theirs.p99}`);
  return missed;
}

async function emailsOf(stage: Stage, { id }: Workspace): Promise<string[]> {
  const client = new pg.Client({ connectionString: stage.adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ email: string }>(
      "SELECT email FROM people WHERE workspace_id = $1 AND email IS NOT NULL AND status = 'active' ORDER BY md5(id::text) LIMIT 90000",
      [id],
    );
    return rows.map(({ email }) => email);
  } finally {
    await client.end();
  }
}

async function postBatch(stage: Stage, workspace: Workspace, requests: readonly { body?: string }[]): Promise<number> {
  const { url, headers = {} } = stage.ours(workspace, "/api/v1/capture/batch");
  const started = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-ndjson" },
    body: requests.map(({ body }) => body).join("\n"),
  });
  const answer = (await response.json()) as { ok: boolean };
  if (!answer.ok) throw new Error(`a batch failed: ${JSON.stringify(answer).slice(0, 300)}`);
  return performance.now() - started;
}

/** One caller sends single captures, each after the answer to the last, each with a different person. */
async function measureAlone(stage: Stage, workspace: Workspace, emails: readonly string[]): Promise<Figures> {
  const { url, headers = {} } = stage.ours(workspace, "/api/v1/capture");
  const started = performance.now();
  for (const [place, email] of emails.slice(0, BATCH).entries()) {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: bodyOf(email, place, `alone-${place}`),
    });
    if (!response.ok) throw new Error(`a capture failed: ${await response.text()}`);
    await response.arrayBuffer();
  }
  return figuresOf(BATCH, started);
}

let batch = 0;

/** Callers send batches, each after the answer to the last, each activity with a different person. */
async function measureBatches(
  stage: Stage,
  workspace: Workspace,
  emails: readonly string[],
  callers: number,
): Promise<Figures> {
  const batches = Array.from({ length: BATCHES + callers }, (_each, index) =>
    Array.from({ length: BATCH }, (_activity, place) => {
      const email = emails[(index * BATCH + place) % emails.length] as string;
      return { body: bodyOf(email, place, `batch-${batch + index}-${place}`) };
    }),
  );
  batch += batches.length;
  for (let caller = 0; caller < callers; caller++) await postBatch(stage, workspace, batches.pop() ?? []);
  const times: number[] = [];
  const started = performance.now();
  const caller = async () => {
    for (let next = batches.pop(); next; next = batches.pop()) times.push(await postBatch(stage, workspace, next));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const figures = figuresOf(BATCHES * BATCH, started);
  times.sort((a, b) => a - b);
  say(
    `\na batch of ${BATCH}, ${callers} at once: p50 ${times[Math.floor(times.length / 2)]?.toFixed(0)} ms, slowest ${times.at(-1)?.toFixed(0)} ms`,
  );
  return figures;
}

const bodyOf = (email: string, place: number, id: string): string =>
  JSON.stringify({ email, type: TYPES[place % TYPES.length], source: "bench", external_id: id });

const figuresOf = (activities: number, started: number): Figures => ({
  perSecond: activities / ((performance.now() - started) / 1_000),
  p50: 0,
  p99: 0,
  cpuMs: 0,
  failed: 0,
});
