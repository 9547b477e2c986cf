/**
 * Random programmes on the database handle itself: queries, Prisma, savepoints and branches side by side of which some
 * throw while others go on, or run on after the end. Every query says under whose workspace it ran.
 */
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { attempt, type Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { withErasure, withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { registering } from "#lib/domain/integrations/connections/service/webhook.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import type { Chance } from "./chance.ts";
import { current, type Work } from "./strikes.ts";
import type { Verdict } from "./verdict.ts";

export type Owner = { id: WorkspaceId; mark: string };

/** The table the programmes read and write: under row level security like a tenant's, each row with its tenant's mark. */
export const MARKS = `
  CREATE TABLE torture_marks (workspace_id uuid NOT NULL, id uuid NOT NULL, mark text NOT NULL, PRIMARY KEY (workspace_id, id));
  ALTER TABLE torture_marks ENABLE ROW LEVEL SECURITY;
  ALTER TABLE torture_marks FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON torture_marks USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace());
  GRANT ALL ON torture_marks TO PUBLIC`;

const LOOK = `SELECT current_setting('rapport.workspace_id', true) AS workspace, current_setting('transaction_read_only') AS read_only,
  (SELECT array_agg(DISTINCT mark) FROM (SELECT mark FROM torture_marks LIMIT 50) AS first) AS marks`;
const look = sql("torture_look", LOOK);
const lookAnew = sql("", LOOK);
const INSERT = "INSERT INTO torture_marks (workspace_id, id, mark) VALUES (rapport_workspace(), $1, $2)";
const insert = sql("torture_insert", INSERT);
/** A job that no worker takes during the test. */
const TOMORROW = new Date(Date.now() + 86_400_000);
const fail = sql("torture_fail", "SELECT 1 / 0");

type Look = { workspace: string | null; read_only: "on" | "off"; marks: string[] | null };
type Mode = "reading" | "writing" | "erasing" | "outside";

/** Thrown on purpose, as a rule or a service would. */
class Planned extends Error {}

/** The programme itself, or a savepoint in it. */
type Scope = {
  /** its work has settled: its handle is about to close */
  settled: boolean;
  /** it has answered: every later call must be refused */
  ended: boolean;
  undone: boolean;
  outer: Scope | null;
};

type Row = { id: string; answered: boolean; late: boolean; scope: Scope };

/** One programme while it runs, and after, for the branches it left behind. */
type Run = Work & {
  owner: Owner;
  mode: Mode;
  rows: Row[];
  /** a statement failed on purpose: what shares its transaction or group fails with it */
  broken: boolean;
  /** its BEGIN was cancelled: what was sent after it ran alone, under no workspace */
  bare: boolean;
  committed: number;
  /** branches that still go on: what they write during a savepoint of another would be undone with it */
  branches: number;
  judged: WeakSet<object>;
  verdict: Verdict;
};

/** The setting of a step: its handle, what it may do there, and the scope of its writes. */
type Scene = { run: Run; db: Db; chance: Chance; scope: Scope; alone: boolean; depth: number };

/**
 * Ids of rows and jobs that must be there after the programme, and what must not; checked when its last branch has
 * ended.
 */
export type ProgrammeEnd = () => { owner: Owner; present: string[]; absent: string[] };

/** Runs one random programme and records what it finds. Never rejects. */
export async function runProgramme(owner: Owner, chance: Chance, verdict: Verdict): Promise<ProgrammeEnd> {
  const mode = chance.pick(modes);
  const run: Run = {
    owner,
    mode,
    rows: [],
    broken: false,
    bare: false,
    committed: 0,
    branches: 0,
    judged: new WeakSet(),
    verdict,
    hit: null,
  };
  const scope: Scope = { settled: false, ended: false, undone: false, outer: null };
  const scene = { run, chance, scope, alone: true, depth: 0 };
  verdict.count("programmes");
  try {
    await current.run(run, () => open(mode, owner.id, (db) => settling(scope, steps({ ...scene, db }))));
    if (run.bare) verdict.wrong("crossing", `${mode}: a programme whose transaction never began succeeded`);
  } catch (error) {
    scope.undone = true;
    if (run.committed > 0 && !run.hit) verdict.wrong("half done", `${mode}: afterCommit ran although the work failed`);
    judge(run, "the programme", error);
  }
  scope.ended = true;
  return () => {
    // A connection that died under COMMIT leaves open whether it committed.
    const unsure = (row: Row) => run.hit === "terminate" && row.scope === scope;
    const absent = run.rows.filter((row) => row.late || (isUndone(row.scope) && !unsure(row)));
    const present = run.rows.filter((row) => row.answered && !row.late && !isUndone(row.scope));
    return { owner, present: present.map(({ id }) => id), absent: absent.map(({ id }) => id) };
  };
}

const modes: readonly Mode[] = [
  ...(["reading", "reading", "reading", "reading"] as const),
  ...(["writing", "writing", "writing", "writing", "erasing", "outside"] as const),
];

const isUndone = ({ undone, outer }: Scope): boolean => undone || (outer !== null && isUndone(outer));
const isSettled = ({ settled, outer }: Scope): boolean => settled || (outer !== null && isSettled(outer));
const isEnded = ({ ended, outer }: Scope): boolean => ended || (outer !== null && isEnded(outer));

/** Marks at once that the work of a scope has settled, before its handle can know. */
async function settling(scope: Scope, work: Promise<void>): Promise<void> {
  try {
    await work;
  } finally {
    scope.settled = true;
  }
}

function open(mode: Mode, id: WorkspaceId, work: (db: Db) => Promise<void>): Promise<void> {
  if (mode === "outside") return withoutWorkspace(work);
  return mode === "erasing" ? withErasure(id, work) : withWorkspace(id, work, { readOnly: mode === "reading" });
}

async function steps(scene: Scene): Promise<void> {
  for (let left = scene.chance.int(1, 4); left > 0; left--) await step(scene);
}

type Step = (scene: Scene) => Promise<void>;

/** The kinds of steps, and how many times in a hundred each is chosen. */
const table: readonly [share: number, when: (scene: Scene) => boolean, step: Step][] = [
  [28, () => true, (scene) => ask(scene, "query", ({ db }) => db.query<Look>(look))],
  [6, () => true, (scene) => ask(scene, "unnamed query", ({ db }) => db.query<Look>(lookAnew))],
  [6, () => true, (scene) => ask(scene, "Prisma", ({ db }) => db.prisma.$queryRawUnsafe<Look[]>(LOOK))],
  [14, writes, (scene) => put(scene, "insert", (id, mark) => scene.db.query(insert, [id, mark]))],
  [4, writes, (scene) => put(scene, "Prisma insert", (id, mark) => prismaInsert(scene.db, id, mark))],
  [4, writes, async (scene) => defer(scene)],
  [4, writes, (scene) => put(scene, "job", (id) => enqueue(scene.db, registering, { connection_id: id }, TOMORROW))],
  [2, ({ run }) => run.mode !== "reading", async ({ run, db }) => db.afterCommit(() => run.committed++)],
  [14, () => true, ({ chance }) => pause(chance)],
  [12, ({ depth }) => depth < 3, together],
  [6, ({ alone, run, depth }) => alone && run.branches === 0 && run.mode === "writing" && depth < 3, savepoint],
  [4, ({ depth }) => depth < 3, stray],
  [2, () => true, broken],
  [8, () => true, async () => Promise.reject(new Planned("a rule refuses"))],
];

function writes({ run }: Scene): boolean {
  return run.mode === "writing" || run.mode === "erasing";
}

async function step(scene: Scene): Promise<void> {
  const open = table.filter(([, when]) => when(scene));
  let drawn = scene.chance.int(
    1,
    open.reduce((sum, [share]) => sum + share, 0),
  );
  for (const [share, , run] of open) {
    drawn -= share;
    if (drawn <= 0) return run(scene);
  }
}

/** Reads under whose workspace it ran and what it sees. */
async function ask(scene: Scene, what: string, query: (scene: Scene) => Promise<Look[]>): Promise<void> {
  const { run } = scene;
  const { owner, mode, verdict } = run;
  const [row] = await sent(scene, what, () => query(scene));
  if (!row) return;
  verdict.count("queries");
  const workspace = row.workspace || null;
  const expected = mode === "outside" ? null : owner.id;
  const strange = row.marks?.filter((mark) => mode === "outside" || mark !== owner.mark) ?? [];
  if (workspace === null && mode !== "outside" && run.hit === "cancel") run.bare = true;
  else if (workspace !== expected || strange.length > 0)
    verdict.wrong(
      "crossing",
      `${mode}: ${what} ran under ${workspace === null ? "no workspace" : "another workspace"}`,
    );
  else if (mode !== "outside" && !row.marks)
    verdict.wrong("false 404", `${mode}: ${what} did not find its tenant's rows`);
  if ((row.read_only === "on") !== (mode === "reading"))
    verdict.wrong("read-only of others", `${mode}: ${what} ran with transaction_read_only ${row.read_only}`);
}

async function put(scene: Scene, what: string, write: (id: string, mark: string) => Promise<unknown>): Promise<void> {
  const row = rowAt(scene);
  await sent(scene, what, () => write(row.id, scene.run.owner.mark));
  row.answered = !isSettled(scene.scope);
}

function rowAt({ run, scope }: Scene): Row {
  const row = { id: newId(), answered: false, late: isEnded(scope), scope };
  run.rows.push(row);
  return row;
}

const prismaInsert = (db: Db, id: string, mark: string) =>
  db.prisma.$executeRawUnsafe(INSERT.replace("$1", "$1::uuid"), id, mark);

/** Only the commit waits for it: what was deferred in time is written with the rest. */
function defer(scene: Scene): void {
  const row = rowAt(scene);
  row.answered = !isSettled(scene.scope);
  scene.db.defer(insert, [row.id, scene.run.owner.mark]).catch(() => undefined);
}

/** Branches side by side; the first that throws fails the step while the others go on. */
async function together(scene: Scene): Promise<void> {
  const branches = Array.from({ length: scene.chance.int(2, 3) }, () => ({ ...scene, chance: scene.chance.fork() }));
  await Promise.all(
    branches.map((branch) => goingOn(scene.run, () => steps({ ...branch, alone: false, depth: scene.depth + 1 }))),
  );
}

/** A part that is undone when it throws. The rest goes on, with the outer handle. */
async function savepoint(scene: Scene): Promise<void> {
  const { run, db, depth } = scene;
  const scope: Scope = { settled: false, ended: false, undone: false, outer: scene.scope };
  try {
    await attempt(db, (inner) => settling(scope, steps({ ...scene, db: inner, scope, depth: depth + 1 })));
  } catch (error) {
    scope.undone = true;
    judge(run, "a savepoint", error);
    if (!(error instanceof Planned)) throw error;
  } finally {
    scope.ended = true;
  }
}

/** A branch that is left behind: what it asks for after the end must be refused. */
async function stray(scene: Scene): Promise<void> {
  const branch = { ...scene, chance: scene.chance.fork(), alone: false, depth: scene.depth + 1 };
  void goingOn(scene.run, async () => {
    await pause(branch.chance);
    await steps(branch);
    await pause(branch.chance);
    await steps(branch);
  }).catch(() => undefined);
}

/** Counts a branch until it ends: one beside it may have failed, and with it the step that waits for both, long before. */
async function goingOn(run: Run, branch: () => Promise<void>): Promise<void> {
  run.branches++;
  try {
    await branch();
  } finally {
    run.branches--;
  }
}

async function broken(scene: Scene): Promise<void> {
  scene.run.broken = true;
  await sent(scene, "failing query", () => scene.db.query(fail));
}

const pause = async (chance: Chance): Promise<void> => {
  const kind = chance.int(0, 3);
  if (kind === 0) await Promise.resolve();
  else if (kind === 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  else if (kind === 2) await turn();
  else await sleep(chance.int(0, 4));
};

/** Sends a statement; one that is sent after the end must be refused before it reaches a connection. */
async function sent<T>({ run, scope }: Scene, what: string, send: () => Promise<T>): Promise<T> {
  const late = isEnded(scope);
  const detail = `${run.mode}: ${what} after the end of its work`;
  try {
    const answer = await send();
    if (late) run.verdict.wrong("ran after its end", `${detail} was answered`);
    return answer;
  } catch (error) {
    if (!late) {
      if (isOfDatabase(error) || !isSettled(scope)) judge(run, what, error);
    } else if (isOfDatabase(error)) run.verdict.wrong("ran after its end", `${detail}: ${messageOf(error)}`);
    else run.verdict.count("late calls refused");
    throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** True for what the database itself said, to a query or through Prisma: then the statement was sent. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError || /\bCode: `\w{5}`/.test(messageOf(error));

/**
 * Errors that follow from another failed statement; the last one: that statement also failed the preparation this one
 * needs.
 */
const failedWithOthers = /division by zero|current transaction is aborted|prepared statement "\w+" does not exist/;

/** Judges an error once, wherever it surfaces first. */
function judge(run: Run, what: string, error: unknown): void {
  if (error instanceof Planned || run.judged.has(error as object)) return;
  run.judged.add(error as object);
  const { verdict, mode } = run;
  const detail = `${mode}: ${what}: ${messageOf(error)}`;
  if (/read-only transaction/.test(detail)) verdict.wrong("read-only of others", detail);
  else if (/row-level security/.test(detail) && run.hit !== "cancel") verdict.wrong("crossing", detail);
  else if (run.hit) verdict.count(`programmes hit by ${run.hit}`);
  else if (!(run.broken && failedWithOthers.test(detail))) verdict.wrong("fault", detail);
}
