import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Prisma, CrmRun as Stored } from "#prisma/generated/client.ts";
import type { CrmRun } from "../contract.ts";
import { candidates } from "./people.ts";

export type RunRow = Omit<Stored, "workspaceId" | "createdBy" | keyof TypedColumns> & TypedColumns;
type TypedColumns = { kind: CrmRun["kind"]; cause: CrmRun["cause"]; state: CrmRun["state"] };

/** Runs with one CRM are started one after the other. */
export const lockRuns = (db: Db, provider: string): Promise<void> => lock(db, "crmSync", [provider]);

async function find(db: Db, asked: Omit<Prisma.CrmRunFindManyArgs, "select" | "include" | "omit">): Promise<RunRow[]> {
  return (await db.prisma.crmRun.findMany({ ...asked, omit: { workspaceId: true, createdBy: true } })) as RunRow[];
}

/** Runs of a CRM or of all, before one or all: the latest first, because ids are UUID v7. */
export const findRuns = (db: Db, provider: string | null, before: string | null, limit: number): Promise<RunRow[]> =>
  find(db, {
    where: { ...(provider === null ? {} : { provider }), ...(before === null ? {} : { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: limit,
  });

export const findRun = async (db: Db, id: string): Promise<RunRow | null> =>
  (await find(db, { where: { id } }))[0] ?? null;

/** The run, locked until this transaction ends. */
export async function findRunToChange(db: Db, id: string): Promise<RunRow | null> {
  await lockRow(db, "crm_runs", id);
  return findRun(db, id);
}

/** The runs that are not over. */
export const findOpenRuns = (db: Db, provider: string): Promise<RunRow[]> =>
  find(db, {
    where: { provider, state: { in: ["queued", "running", "waiting", "blocked"] } },
    orderBy: { id: "asc" },
  });

export const findLastCheck = async (db: Db, provider: string): Promise<Date | null> =>
  (await db.prisma.crmRun.aggregate({ where: { provider, kind: "hygiene" }, _max: { createdAt: true } }))._max
    .createdAt;

type NewRun = Pick<RunRow, "id" | "provider" | "portal" | "kind" | "cause" | "everyone" | "matching"> & {
  createdBy: string;
};
export async function insertRun(db: Db, run: NewRun): Promise<void> {
  await db.prisma.crmRun.create({ data: run, select: { id: true } });
}

/** Rows that are listed by one statement: all people at once would take longer than a statement may. */
const PORTION = 5_000;

const INTO = `WITH listed AS (INSERT INTO crm_run_rows (workspace_id, run_id, place, contact_id, fields)
    SELECT $workspace, $1, $3 + row_number() OVER (ORDER BY p.id DESC) - 1, p.id, '{}' FROM (`;
const COUNTED = ` ORDER BY id DESC LIMIT ${PORTION}) AS p RETURNING 1)
  UPDATE crm_runs SET state = 'running', listed_at = coalesce(listed_at, $2),
    total = CASE WHEN (SELECT count(*) FROM listed) < ${PORTION} THEN $3 + (SELECT count(*) FROM listed) END
  WHERE workspace_id = $workspace AND id = $1`;

// people_pkey, or people_updated_idx where few have changed
const people = sql("crm_run_list_people", `${INTO}${candidates("$5")} AND p.id < $4${COUNTED}`);
// crm_records_pkey
const records = sql(
  "crm_run_list_records",
  `${INTO}SELECT entity_id AS id FROM crm_records WHERE workspace_id = $workspace AND provider = $5 AND account = $6 AND entity_id < $4${COUNTED}`,
);
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Where listing goes on: the next place, and the id that the next is lower than. */
async function listedTo(db: Db, id: string): Promise<[place: number, below: string]> {
  const last = await db.prisma.crmRunRow.findFirst({
    where: { runId: id },
    select: { contactId: true, place: true },
    orderBy: { place: "desc" },
  });
  return last ? [last.place + 1, last.contactId] : [0, LAST_ID];
}

/**
 * Lists a portion of the people that a run compares, as of `at`: people who changed since a time; the newest people first. The run has
 * its total once all are listed.
 */
export async function listPeople(db: Db, id: string, at: Date, since: Date): Promise<void> {
  await db.query(people, [id, at, ...(await listedTo(db, id)), since]);
}

/** Lists a portion of the people that a check of records compares. */
export async function listRecords(db: Db, { id, provider, portal }: RunRow, at: Date): Promise<void> {
  await db.query(records, [id, at, ...(await listedTo(db, id)), provider, portal]);
}

const change = (db: Db, id: string, data: Prisma.CrmRunUpdateManyMutationInput): Promise<unknown> =>
  db.prisma.crmRun.updateMany({ where: { id }, data });

const ENDS: readonly RunRow["state"][] = ["done", "failed", "cancelled"];

export async function setRunState(db: Db, id: string, to: RunRow["state"], message: string | null): Promise<void> {
  const finishedAt = ENDS.includes(to) ? new Date() : null;
  await change(db, id, { state: to, message, finishedAt });
}

/** A run that waited is under way, and what was in its way is over; one that was cancelled stays so. */
async function goesOn(db: Db, id: string): Promise<void> {
  await db.prisma.crmRun.updateMany({ where: { id, state: { not: "cancelled" } }, data: { message: null } });
  await db.prisma.crmRun.updateMany({
    where: { id, state: { in: ["queued", "waiting"] } },
    data: { state: "running" },
  });
}

/** Where matching goes on, and how many contacts of the page were linked. */
export async function setMatching(db: Db, id: string, cursor: string | null, linked: number): Promise<void> {
  await change(db, id, { matching: cursor, matched: { increment: linked } });
  await goesOn(db, id);
}

export type Counts = Pick<
  RunRow,
  "created" | "updated" | "unchanged" | "skipped" | "findings" | "failed" | "matched" | "notes" | "activities"
>;
export async function addCounts(db: Db, id: string, counts: Partial<Counts>): Promise<void> {
  const added = Object.entries(counts).map(([name, increment]) => [name, { increment: increment ?? 0 }]);
  await change(db, id, Object.fromEntries(added));
  await goesOn(db, id);
}

/** Moves the position over all rows that are done. The caller has locked the run. */
export async function advanceRun(db: Db, id: string): Promise<void> {
  const run = await db.prisma.crmRun.findFirst({ where: { id }, select: { position: true, total: true } });
  if (!run) return;
  const next = await db.prisma.crmRunRow.findFirst({
    where: { runId: id, place: { gte: run.position }, isDone: false },
    select: { place: true },
    orderBy: { place: "asc" },
  });
  await change(db, id, { position: next?.place ?? run.total ?? 0 });
}

/** An automatic run in which nothing was to do. */
export async function deleteRun(db: Db, id: string): Promise<void> {
  await db.prisma.crmRun.deleteMany({ where: { id } });
}

/** Deletes one run beyond the latest `kept` of its CRM, with its rows; true when there may be more. */
export async function removeOldRun(db: Db, kept: number): Promise<boolean> {
  const runs = await db.prisma.crmRun.findMany({
    select: { id: true, provider: true, state: true },
    orderBy: { id: "desc" },
  });
  const old = [...Map.groupBy(runs, ({ provider }) => provider).values()].flatMap((own) => own.slice(kept));
  const over = old.find(({ state }) => ENDS.includes(state));
  if (over) await deleteRun(db, over.id);
  return over !== undefined;
}
