/** However a page is made, it is what the same rule makes of all rows in plain code; and how it is made for which list. */
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { forgetProcessState } from "#lib/testing/process-state.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Db } from "./handle.ts";
import {
  type Condition,
  countRows,
  countUpTo,
  type ListedTable,
  type ListRequest,
  listRows,
  rowsAmong,
  type Sort,
} from "./listing.ts";
import { withWorkspace } from "./transaction.ts";

type Thing = { id: string; at: string | null; rank: number; tag: string; hidden: boolean };

/** Few different values, so that many share a place, and some without one. */
const things: Thing[] = Array.from({ length: 48 }, (_, index) => ({
  id: newId(),
  at: index % 5 === 0 ? null : new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 6))).toISOString(),
  rank: (index * 11) % 4,
  tag: index % 7 === 0 ? "c" : index % 2 === 0 ? "a" : "b",
  hidden: index % 9 === 0,
}));

let mine: TestWorkspace;
/** One with a long list. */
let many: TestWorkspace;

beforeAll(async () => {
  [mine, many] = [await createTestWorkspace(), await createTestWorkspace()];
  await inspect(
    `CREATE TABLE things (workspace_id uuid, id uuid, at timestamptz, rank int NOT NULL, tag text NOT NULL, hidden boolean NOT NULL,
       PRIMARY KEY (workspace_id, id));
     CREATE INDEX ON things (workspace_id, rank, id);
     GRANT SELECT ON things TO PUBLIC`,
  );
  await inspect(
    "INSERT INTO things SELECT $1::uuid, id, at, rank, tag, hidden FROM json_populate_recordset(NULL::things, $2)",
    [mine.id, JSON.stringify(things)],
  );
  await inspect(
    `INSERT INTO things SELECT $1::uuid, uuidv7(), NULL, n,
       CASE WHEN n <= 4000 THEN CASE WHEN n % 100 = 50 THEN 'seldom' ELSE 'first' END WHEN n <= 10000 THEN 'some' ELSE 'most' END, false
     FROM generate_series(1, 30500) AS n`,
    [many.id],
  );
  // The same in another workspace: pages that took them would have too few rows.
  await inspect(
    "INSERT INTO things SELECT $1::uuid, uuidv7(), at, rank, tag, hidden FROM things WHERE workspace_id = $2",
    [newId(), mine.id],
  );
  await inspect("ANALYZE things");
});

const byAt = (descending: boolean, more: object = {}): Sort => ({
  column: "at",
  type: "timestamptz",
  nullable: true,
  descending,
  ...more,
});
const byRank = (descending: boolean): Sort => ({ column: "rank", type: "int", nullable: false, descending });
const sorts = [byAt(true), byAt(false), byAt(false, { nullsLast: true }), byRank(true), byRank(false)];

type Filter = { condition: Condition; holds(thing: Thing): boolean };

const ofTags = (tags: string[], many: number | null): Condition => ({
  text: "p.tag = ANY(?::text[])",
  values: [tags],
  rare: true,
  probe: { text: "p.tag = ANY(?::text[])", values: [tags] },
  arms: { one: { text: "p.tag = arm.value", values: [] }, of: { text: "unnest(?::text[])", values: [tags] }, many },
});

const filters: readonly Filter[] = [
  { condition: { text: "p.tag <> ?", values: ["c"] }, holds: ({ tag }) => tag !== "c" },
  { condition: { text: "NOT p.hidden", values: [], usual: true }, holds: ({ hidden }) => !hidden },
  { condition: { text: "p.rank <> ?", values: [3], rare: true }, holds: ({ rank }) => rank !== 3 },
  {
    condition: {
      text: "p.rank >= ? AND p.rank <= ?",
      values: [1, 2],
      rare: true,
      probe: { text: "p.rank = ANY(?::int[])", values: [[1, 2]] },
    },
    holds: ({ rank }) => rank === 1 || rank === 2,
  },
  {
    condition: {
      text: "p.rank > ?",
      values: [0],
      rare: true,
      probe: { text: "p.rank > ?", values: [0] },
      instead: async () => ({ text: "p.rank BETWEEN ? AND ?", values: [1, 3], rare: true }),
    },
    holds: ({ rank }) => rank > 0,
  },
  { condition: ofTags(["a", "c"], 2), holds: ({ tag }) => tag !== "b" },
  { condition: ofTags(["b", "c"], null), holds: ({ tag }) => tag !== "a" },
];

/** A place in the order of a sort, as `compare` reads it. */
const placedBy = (thing: Thing, { column }: Sort) => thing[column as "at" | "rank"];

function compare(sort: Sort, a: Thing, b: Thing): number {
  const [one, other] = [placedBy(a, sort), placedBy(b, sort)];
  const down = sort.descending ? -1 : 1;
  if (one === other) return down * (a.id < b.id ? -1 : 1);
  if (one === null || other === null) return (one === null ? 1 : -1) * (sort.descending || sort.nullsLast ? 1 : -1);
  return down * (one < other ? -1 : 1);
}

const reading = <T>({ id }: TestWorkspace, work: (db: Db) => Promise<T>) => withWorkspace(id, work, { readOnly: true });

const asked = fc.record({
  chosen: fc.subarray([...filters]),
  sort: fc.constantFrom(...sorts),
  limit: fc.constantFrom(2, 5, 201),
  isWalk: fc.boolean(),
  keysFirst: fc.boolean(),
});

const listedAs = ({ isWalk, keysFirst }: { isWalk: boolean; keysFirst: boolean }): ListedTable<Condition> => ({
  table: "things",
  row: "p.id::text",
  isWalk: () => isWalk,
  ...(keysFirst ? { keysFirst } : {}),
});

describe("a list", () => {
  test("is the whole of what its filters mean in the order of its sort, page by page, by cursor and by offset", async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ chosen, sort, limit, ...how }) => {
        const conditions = chosen.map(({ condition }) => condition);
        const all = things.filter((thing) => chosen.every(({ holds }) => holds(thing)));
        const expected = all.sort((a, b) => compare(sort, a, b)).map(({ id }) => id);
        const page = (db: Db, more: Pick<ListRequest, "offset" | "after">) =>
          listRows(db, listedAs(how), { conditions, sort, limit, ...more });
        await reading(mine, async (db) => {
          const found: string[] = [];
          for (let after: ListRequest["after"] = null; ; ) {
            const rows = await page(db, { offset: 0, after });
            found.push(...rows.slice(0, limit));
            if (rows.length <= limit) break;
            expect(rows).toHaveLength(limit + 1);
            const last = things.find(({ id }) => id === found.at(-1)) as Thing;
            after = { value: placedBy(last, sort), id: last.id };
          }
          expect(found).toEqual(expected);
          for (const offset of [1, 6])
            expect(await page(db, { offset, after: null })).toEqual(expected.slice(offset, offset + limit + 1));
          const count = (most: number) => countRows(db, listedAs(how), { conditions, sort }, most);
          expect([await count(1000), await count(3)]).toEqual([expected.length, Math.min(expected.length, 3)]);
        });
      }),
      { numRuns: 80 },
    );
  });
});

type SentStatement = { way: string; named: boolean; values: readonly unknown[] };

/** How a statement makes its page: `first n` of the list are looked at, `found n` are found at most, `arms`, or a `walk`. */
function wayOf({ text, name }: Statement, values: readonly unknown[]): SentStatement {
  const [, tried] = /FROM \(SELECT p\.\*.* LIMIT (\d+)\) AS p WHERE/.exec(text) ?? [];
  const [, found] = /WITH found .*? LIMIT (\d+)\) /.exec(text) ?? [];
  const way = tried ? `first ${tried}` : found ? `found ${found}` : text.includes("LATERAL") ? "arms" : "walk";
  return { way, named: name !== "", values };
}

const longList: ListedTable<Condition> = { table: "things", row: "p.rank::text", isWalk: () => true };

/** What is asked of the long list, and the statements that are sent for it. */
async function askMany<T>(work: (db: Db) => Promise<T>) {
  const sent: SentStatement[] = [];
  const answer = await reading(many, (db) => {
    const query = (statement: Statement, values: readonly unknown[] = []) => {
      sent.push(wayOf(statement, values));
      return db.query(statement, values);
    };
    return work(Object.create(db, { query: { value: query } }));
  });
  return { answer, sent, ways: sent.map(({ way }) => way).join(", ") };
}

/** A page of the long list. */
async function pageOfMany(listed: Partial<ListedTable<Condition>>, request: Partial<ListRequest>) {
  const first = { conditions: [], sort: byRank(false), limit: 2, offset: 0, after: null };
  const { answer: rows, ...rest } = await askMany((db) =>
    listRows(db, { ...longList, ...listed }, { ...first, ...request }),
  );
  return { rows, ...rest };
}

const tagged = (tag: string, more: object = {}): Condition => ({
  text: "p.tag = ?",
  values: [tag],
  rare: true,
  probe: { text: "p.tag = ?", values: [tag] },
  ...more,
});

const ranked = (from: number, to: number): Condition => {
  const between = { text: "p.rank BETWEEN ? AND ?", values: [from, to] };
  return { ...between, rare: true, probe: between };
};

describe("a page of a long list", () => {
  test.each<[string, Partial<ListRequest>, string, string[]]>([
    ["without a rare value is a walk", {}, "walk", ["1", "2", "3"]],
    [
      "of a value that the first rows have is made of those",
      { conditions: [tagged("first")] },
      "first 12",
      ["1", "2", "3"],
    ],
    [
      "of a value that some of the first rows have is made of more of them",
      { conditions: [tagged("seldom")], limit: 14 },
      "first 60, first 4000",
      Array.from({ length: 15 }, (_, index) => String(50 + index * 100)),
    ],
    [
      "that more of them do not fill either is made of all that have the value",
      { conditions: [tagged("seldom")], limit: 40 },
      "first 164, first 4000, found 20001",
      Array.from({ length: 40 }, (_, index) => String(50 + index * 100)),
    ],
    [
      "that more of them do not promise to fill is made of all that have the value",
      { conditions: [tagged("seldom")], limit: 50 },
      "first 204, found 20001",
      Array.from({ length: 40 }, (_, index) => String(50 + index * 100)),
    ],
    [
      "of a value that none of the first rows has is made of all that have it",
      { conditions: [tagged("some")] },
      "first 12, found 20001",
      ["4001", "4002", "4003"],
    ],
    [
      "of a value that too many others have is a walk after all",
      { conditions: [tagged("most")] },
      "first 12, found 20001, walk",
      ["10001", "10002", "10003"],
    ],
    [
      "of a value that as many have as are found at most is made of all that have it",
      { conditions: [ranked(10_001, 30_000)] },
      "first 12, found 20001",
      ["10001", "10002", "10003"],
    ],
    [
      "of a value that one more has is a walk after all",
      { conditions: [ranked(10_001, 30_001)] },
      "first 12, found 20001, walk",
      ["10001", "10002", "10003"],
    ],
    [
      "from an offset looks at no first rows",
      { conditions: [tagged("some")], offset: 1 },
      "walk",
      ["4002", "4003", "4004"],
    ],
    [
      "of a value that cannot be looked up for one row is a walk",
      { conditions: [tagged("some", { probe: undefined })] },
      "walk",
      ["4001", "4002", "4003"],
    ],
    [
      "of some values whose number is known is merged from a walk of each",
      { conditions: [ofTags(["some", "most"], 2)] },
      "arms",
      ["4001", "4002", "4003"],
    ],
    [
      "of some values is not merged when the walks together would be too long",
      { conditions: [ofTags(["some", "most"], 2)], offset: 24_999 },
      "walk",
      ["29000", "29001", "29002"],
    ],
    [
      "of some values is not merged when the walks together would be too long by one row",
      { conditions: [ofTags(["some", "most", "none"], 3)], offset: 16_665 },
      "walk",
      ["20666", "20667", "20668"],
    ],
    [
      "of some values is merged up to the longest that walks may be together",
      { conditions: [ofTags(["some", "most"], 2)], offset: 24_998 },
      "arms",
      ["28999", "29000", "29001"],
    ],
    [
      "of values whose number is not known is merged from walks when the first rows have none, and nothing narrows them",
      { conditions: [ofTags(["some"], null), { text: "NOT p.hidden", values: [], usual: true }] },
      "first 12, arms",
      ["4001", "4002", "4003"],
    ],
    [
      "of values whose number is not known is made of all that have them, if few, when something narrows the walks",
      { conditions: [ofTags(["seldom"], null), { text: "p.rank <> ?", values: [50] }], limit: 50 },
      "first 204, found 5001",
      Array.from({ length: 39 }, (_, index) => String(150 + index * 100)),
    ],
    [
      "of values whose number is not known is merged from walks, if many have them, when something narrows the walks",
      { conditions: [ofTags(["some"], null), { text: "p.rank <> ?", values: [4001] }] },
      "first 12, found 5001, arms",
      ["4002", "4003", "4004"],
    ],
    [
      "of values that had to be looked up is merged from walks when their number is known then, also when something narrows them",
      {
        conditions: [
          tagged("some", { instead: async () => ofTags(["some", "most"], 2) }),
          { text: "p.rank <> ?", values: [4001] },
        ],
      },
      "first 12, arms",
      ["4002", "4003", "4004"],
    ],
    [
      "of two kinds of values is not merged",
      { conditions: [ofTags(["some"], 1), ofTags(["some", "most"], 2)] },
      "first 12, found 20001",
      ["4001", "4002", "4003"],
    ],
  ])("%s", async (_, request, ways, expected) => {
    const page = await pageOfMany({}, request);
    expect([page.ways, page.rows]).toEqual([ways, expected]);
  });

  test("that no index serves is not merged from walks", async () => {
    const page = await pageOfMany({ isWalk: () => false }, { conditions: [ofTags(["some", "most"], 2)] });
    expect([page.ways, page.rows]).toEqual(["first 12, found 20001, walk", ["4001", "4002", "4003"]]);
  });

  test("looks a filter up only when the first rows do not fill it, and only the filters that can be", async () => {
    let lookedUp = 0;
    const instead = async () => {
      lookedUp++;
      return { text: "p.tag = ? AND p.rank <> ?", values: ["some", 4001], rare: true as const };
    };
    const first = await pageOfMany({}, { conditions: [tagged("first", { instead })] });
    expect([lookedUp, first.ways]).toEqual([0, "first 12"]);
    const conditions = [{ text: "p.rank <> ?", values: [4003] }, tagged("some", { instead })];
    const page = await pageOfMany({}, { conditions });
    expect([lookedUp, page.ways, page.rows]).toEqual([1, "first 12, found 20001", ["4002", "4004", "4005"]]);
  });

  test("has its size in its statement, which is kept, when it is a walk of an ordinary size", async () => {
    const of = async (listed: Partial<ListedTable<Condition>>, limit: number) => {
      const { sent } = await pageOfMany(listed, { limit });
      return sent.map(({ named, values }) => ({ named, values }));
    };
    expect(await of({}, 200)).toEqual([{ named: true, values: [] }]);
    expect(await of({}, 201)).toEqual([{ named: true, values: [202] }]);
    expect(await of({ isWalk: () => false }, 200)).toEqual([{ named: true, values: [201] }]);
  });

  test("has its size in its statement when it is merged from walks, of an ordinary size, from the beginning", async () => {
    const of = async (limit: number, offset: number) => {
      const conditions = [ofTags(["some", "most"], 2)];
      const { sent } = await pageOfMany({}, { limit, offset, conditions });
      return sent.map(({ named, values }) => ({ named, values }));
    };
    expect(await of(200, 0)).toEqual([{ named: true, values: [["some", "most"]] }]);
    expect(await of(201, 0)).toEqual([{ named: true, values: [202, 202, ["some", "most"]] }]);
    expect(await of(200, 3)).toEqual([{ named: true, values: [204, 201, 3, ["some", "most"]] }]);
  });

  test("of a rare value is planned each time, so that its plan fits the value, unless it is merged from walks", async () => {
    const { sent } = await pageOfMany({}, { conditions: [tagged("most")] });
    expect(sent.map(({ way, named }) => [way, named])).toEqual([
      ["first 12", true],
      ["found 20001", false],
      ["walk", false],
    ]);
    const merged = await pageOfMany({}, { conditions: [ofTags(["some"], null)] });
    expect(merged.sent.map(({ way, named }) => [way, named])).toEqual([
      ["first 12", true],
      ["arms", true],
    ]);
  });
});

/** All rows of the long list meet it. */
const slow: Condition = { text: "p.rank > ?", values: [0], slow: true };
/** Every second row meets it. */
const even: Condition = { text: "p.rank % ? = 0", values: [2], slow: true };
const upTo = (rank: number): Condition => ({ text: "p.rank <= ?", values: [rank] });

describe("a count", () => {
  const sort = byRank(false);

  test.each<[string, Condition[], number, number | null, number]>([
    ["is of all rows", [], 40_000, null, 30_500],
    ["is of rows that meet all conditions", [tagged("some"), upTo(5_000)], 40_000, null, 1_000],
    ["ends at the most that is asked", [tagged("some")], 5, null, 5],
    ["tries slow conditions on all rows when it may", [tagged("some"), slow], 40_000, null, 6_000],
    ["tries slow conditions on so many of the rows that meet the others", [tagged("some"), even], 40_000, 700, 350],
    ["tries all slow conditions on them", [tagged("some"), slow, even], 40_000, 700, 350],
    ["tries no others", [tagged("some")], 40_000, 700, 6_000],
  ])("%s", async (_, conditions, most, tried, expected) => {
    const { answer } = await askMany((db) =>
      countRows(db, longList, { conditions, sort }, most, ...(tried === null ? [] : [tried])),
    );
    expect(answer).toBe(expected);
  });

  test("counts what was looked up in place of a condition", async () => {
    const conditions = [tagged("none", { instead: async () => upTo(7) })];
    const { answer } = await askMany((db) => countRows(db, longList, { conditions, sort }, 40_000));
    expect(answer).toBe(7);
  });

  test("keeps its statement where a page of all that is counted is a walk", async () => {
    const requests: ListRequest[] = [];
    const namedWhen = async (walk: boolean) => {
      const isWalk = (request: ListRequest) => requests.push(request) > 0 && walk;
      const conditions = [upTo(7)];
      const { sent } = await askMany((db) => countRows(db, { ...longList, isWalk }, { conditions, sort }, 50));
      return sent.map(({ named }) => named);
    };
    expect([await namedWhen(true), await namedWhen(false)]).toEqual([[true], [false]]);
    expect(requests[0]).toEqual({ conditions: [upTo(7)], sort, limit: 50, offset: 0, after: null });
  });

  test.each<[string, Condition[], number, number | undefined, { count: number; capped: boolean }]>([
    ["knows all rows up to the most", [tagged("some")], 6_000, undefined, { count: 6_000, capped: false }],
    ["is capped by one row more", [tagged("some")], 5_999, undefined, { count: 5_999, capped: true }],
    ["knows all rows that it tried", [tagged("some"), slow], 9_000, 6_000, { count: 6_000, capped: false }],
    ["is capped by one row untried", [tagged("some"), slow], 9_000, 5_999, { count: 5_999, capped: true }],
    [
      "is capped also by rows that do not meet it",
      [tagged("some"), even],
      9_000,
      5_998,
      { count: 2_999, capped: true },
    ],
    ["tries 30,000 rows", [upTo(30_000), slow], 40_000, undefined, { count: 30_000, capped: false }],
    ["tries no more than 30,000", [upTo(30_001), slow], 40_000, undefined, { count: 30_000, capped: true }],
  ])("for who need not know all %s", async (_, conditions, most, tried, expected) => {
    const { answer } = await askMany((db) => countUpTo(db, longList, { conditions, sort }, most, tried));
    expect(answer).toEqual(expected);
  });

  test("asks once where no condition is slow or there are more, else also how many there were to try", async () => {
    const times = async (...of: [Condition[], number]) => {
      const [conditions, most] = of;
      return (await askMany((db) => countUpTo(db, longList, { conditions, sort }, most))).sent.length;
    };
    expect([await times([], 40_000), await times([slow], 100), await times([slow], 40_000)]).toEqual([1, 1, 2]);
  });
});

test("of some rows a list has those that meet its conditions, each tried by itself", async () => {
  const among = (conditions: Condition[], ids: string[]) =>
    reading(mine, async (db) => (await rowsAmong(db, { table: "things" }, conditions, ids)).sort());
  const inTags = (tags: string[]) => things.filter(({ tag }) => tags.includes(tag)).map(({ id }) => id);
  const ids = things.map(({ id }) => id);
  expect(await among([], ids)).toEqual(ids.toSorted());
  expect(await among([{ text: "p.tag = ?", values: ["a"] }], ids)).toEqual(inTags(["a"]).sort());
  const two = [
    { text: "p.tag <> ?", values: ["a"] },
    { text: "p.tag <> ?", values: ["b"] },
  ];
  expect(await among(two, ids)).toEqual(inTags(["c"]).sort());
  // The look-up of one row counts, not the condition that finds all.
  const probe = { text: "p.tag = ?", values: ["b"] };
  expect(await among([{ text: "false", values: [], probe }], ids.slice(0, 9))).toEqual(
    inTags(["b"])
      .filter((id) => ids.indexOf(id) < 9)
      .sort(),
  );
  const theirs = await askMany((db) => rowsAmong(db, { table: "things" }, [], ids));
  expect([theirs.answer, theirs.sent.map(({ named }) => named)]).toEqual([[], [true]]);
});

test("a list keeps its statement for the first few hundred shapes, and no more", async () => {
  forgetProcessState();
  onTestFinished(forgetProcessState);
  const isKept = async (n: number) => {
    const { sent } = await pageOfMany({}, { conditions: [{ text: `p.rank <> ${n}`, values: [] }] });
    return sent.every(({ named }) => named);
  };
  const kept: boolean[] = [];
  for (let n = 1; n <= 301; n++) kept.push(await isKept(n));
  expect(kept.indexOf(false)).toBe(300);
  expect(await isKept(1)).toBe(true);
});
