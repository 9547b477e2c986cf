/** Every sort order of a list has an index: a list of many people is never sorted to show a page. */
import { expect, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import { countUpTo } from "#lib/db/listing.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { upsertPeople } from "#lib/domain/crm/people/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { where } from "./conditions.ts";
import { listCompanyRows, listPersonRows } from "./lists.ts";

type Node = { "Node Type": string; "Index Name"?: string; Plans?: Node[] };
const namesOf = (node: Node): string[] => [
  node["Node Type"],
  ...(node["Index Name"] ? [node["Index Name"]] : []),
  ...(node.Plans ?? []).flatMap(namesOf),
];

const columns = ["last_activity_at", "icp_score", "created_at", "sort_name", "sort_company"] as const;
const traits = {
  last_activity_at: { type: "timestamptz", nullable: true },
  icp_score: { type: "int", nullable: true },
  created_at: { type: "timestamptz", nullable: false },
  sort_name: { type: "text", nullable: true },
  sort_company: { type: "text", nullable: true },
} as const;
const positions = {
  sort_name: "anna",
  sort_company: "acme",
  last_activity_at: "2026-06-03T09:00:00Z",
  icp_score: 50,
  created_at: "2026-06-03T09:00:00Z",
};
const id = "0190a6e0-0000-7000-8000-000000000001";

test.each(
  columns.flatMap((column) =>
    [true, false].map((descending) => [column, descending ? "down" : "up", descending] as const),
  ),
)("by %s, %s", async (column, _, descending) => {
  const { id: workspaceId } = await createTestWorkspace();
  const conditions = [{ text: "p.status = 'active'", values: [], index: "all" as const }];
  const request = { conditions, sort: { column, ...traits[column], descending }, limit: 100, offset: 0 };
  await withWorkspace(workspaceId, async (db) => {
    // With few rows Postgres prefers to sort; with sorting off, it still sorts for an order that no index has.
    await db.query({ name: "", text: "SET LOCAL enable_sort = off" });
    for (const list of column === "sort_company" ? [listPersonRows] : [listPersonRows, listCompanyRows])
      for (const after of [null, { value: positions[column], id }])
        expect(await planOf(db, list, { ...request, after })).not.toContain("Sort");
  });
});

test.each(["last_activity_at", "icp_score"] as const)("those of an owner, by %s", async (column) => {
  const { id: workspaceId } = await createTestWorkspace();
  const conditions = [where.status("active"), where.owner("anna@ours.example", column)];
  await withWorkspace(workspaceId, async (db) => {
    await db.query({ name: "", text: "SET LOCAL enable_sort = off" });
    for (const list of [listPersonRows, listCompanyRows])
      for (const descending of [true, false])
        for (const after of [null, { value: positions[column], id }]) {
          const sort = { column, ...traits[column], descending };
          const nodes = await planOf(db, list, { conditions, sort, limit: 100, offset: 0, after });
          expect(nodes).not.toContain("Sort");
          expect(nodes).toContain("Index Scan");
        }
  });
});

test("a count tries a slow condition on so many rows, and says that there may be more", async () => {
  const { id: workspaceId, caller } = await createTestWorkspace();
  const people = [1, 2, 3, 4, 5].map((n) => ({ email: `p${n}@gmail.com`, source: n > 3 ? "late" : "early" }));
  await upsertPeople.execute(caller, { people });
  const slow = { text: "p.source = ?", values: ["late"], slow: true } as const;
  const sort = { column: "created_at", ...traits.created_at, descending: false };
  const listed = { table: "(SELECT * FROM people ORDER BY email)", row: "", isWalk: () => false };
  await withWorkspace(workspaceId, async (db) => {
    const counted = (most: number, tried: number) =>
      countUpTo(db, listed, { conditions: [where.status("active"), slow], sort }, most, tried);
    expect(await counted(10, 10)).toEqual({ count: 2, capped: false });
    expect(await counted(10, 5)).toEqual({ count: 2, capped: false });
    expect(await counted(10, 3)).toEqual({ count: 0, capped: true });
    expect(await counted(1, 5)).toEqual({ count: 1, capped: true });
    expect(await counted(2, 5)).toEqual({ count: 2, capped: false });
  });
});

test("those with some sets of properties, by last activity: a walk of each", async () => {
  const { id: workspaceId } = await createTestWorkspace();
  const conditions = [where.status("active"), where.sets([id, workspaceId])];
  await withWorkspace(workspaceId, async (db) => {
    await db.query({ name: "", text: "SET LOCAL enable_sort = off" });
    for (const [list, table] of [
      [listPersonRows, "people"],
      [listCompanyRows, "companies"],
    ] as const)
      for (const descending of [true, false])
        for (const after of [null, { value: positions.last_activity_at, id }]) {
          const sort = { column: "last_activity_at", ...traits.last_activity_at, descending };
          const nodes = await planOf(db, list, { conditions, sort, limit: 100, offset: 0, after });
          expect(nodes).toContain(`${table}_property_set_idx`);
          expect(nodes.filter((node) => node === "Sort").length).toBeLessThanOrEqual(2);
        }
  });
});

test.each([
  ["scores", where.scoreAtLeast(99), "people_score_idx"],
  ["times of creation", where.createdBefore(new Date("2026-01-02T00:00:00Z")), "people_created_idx"],
] as const)("a range of %s, by last activity: found and sorted without reading rows", async (_, range, index) => {
  const { id: workspaceId } = await createTestWorkspace();
  await inspect(
    "INSERT INTO entities (workspace_id, id, type) SELECT $1, uuidv7(), 'person' FROM generate_series(1, 2000)",
    [workspaceId],
  );
  await inspect(
    `INSERT INTO people (workspace_id, id, source, icp_score, created_at, updated_at, search, wire)
     SELECT $1, id, 'api', n % 100, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 hour', now(), '', '{"id":1'
     FROM (SELECT id, row_number() OVER () AS n FROM entities WHERE workspace_id = $1 AND type = 'person') AS drawn`,
    [workspaceId],
  );
  await inspect("ANALYZE people");
  const sort = { column: "last_activity_at", ...traits.last_activity_at, descending: true };
  const request = { conditions: [where.status("active"), range], sort, limit: 100, offset: 0, after: null };
  await withWorkspace(workspaceId, async (db) => {
    const [, gathered = []] = await plansOf(db, listPersonRows, request);
    expect(gathered.slice(0, gathered.indexOf(index) + 1).slice(-2)).toEqual(["Index Only Scan", index]);
  });
});

/** The nodes of the one plan that a list has, with the names of its indexes. */
async function planOf(db: Db, list: typeof listPersonRows, request: Parameters<typeof list>[1]): Promise<string[]> {
  const plans = await plansOf(db, list, request);
  expect(plans).toHaveLength(1);
  return plans.flat();
}

/** The same of each statement, none of which finds a row. */
async function plansOf(db: Db, list: typeof listPersonRows, request: Parameters<typeof list>[1]): Promise<string[][]> {
  const plans: Node[] = [];
  const explaining = {
    async query({ text }: Statement, values: readonly unknown[]) {
      const explain = { name: "", text: `EXPLAIN (FORMAT JSON) ${text}` };
      const rows = await db.query<{ "QUERY PLAN": { Plan: Node }[] }>(explain, values);
      plans.push(...rows.flatMap((row) => row["QUERY PLAN"].map(({ Plan }) => Plan)));
      return [];
    },
  };
  await list(explaining as unknown as Db, request);
  return plans.map(namesOf);
}
