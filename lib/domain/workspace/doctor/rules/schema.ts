/** What the doctor makes of the tables of an installation, beside what the migrations make. */
import type { DatabaseObject } from "#lib/db/objects.ts";
import { counted, type Finding, failing, fine, listed, warning } from "./finding.ts";

/** Parts of the schema that are missing, that are other than the migrations make them, and policies that are not ours. */
export type Drift = { missing: DatabaseObject[]; different: DatabaseObject[]; foreign: DatabaseObject[] };

const keyOf = ({ kind, table, name }: DatabaseObject): string => `${kind} ${table} ${name}`;

/**
 * `isSpread`: over several machines triggers are replaced by foreign keys, so they are not compared. Parts that an operator added are
 * left alone, except policies: one more lets rows be seen.
 */
export function driftOf(
  expected: readonly DatabaseObject[],
  found: readonly DatabaseObject[],
  { isSpread }: { isSpread: boolean },
): Drift {
  const foundByKey = new Map(found.map((each) => [keyOf(each), each]));
  const compared = expected.filter(({ kind }) => !(isSpread && kind === "trigger"));
  const absent = compared.filter((each) => !foundByKey.has(keyOf(each)));
  const goneTables = new Set(absent.filter(({ kind }) => kind === "table").map(({ name }) => name));
  const ours = new Set(expected.map(keyOf));
  const tables = new Set(expected.map(({ table }) => table));
  return {
    missing: absent.filter(({ kind, table }) => kind === "table" || !goneTables.has(table)),
    different: compared.filter((each) => (foundByKey.get(keyOf(each)) ?? each).definition !== each.definition),
    foreign: found.filter((each) => each.kind === "policy" && tables.has(each.table) && !ours.has(keyOf(each))),
  };
}

/** An index that only makes reads fast. One that refuses a second row is part of what writes rely on. */
const isForSpeed = ({ kind, definition }: DatabaseObject): boolean =>
  kind === "index" && !definition.startsWith("CREATE UNIQUE");

const wordsOf = ({ kind, table, name }: DatabaseObject): string =>
  table === "" || table === name ? `${kind} ${name}` : `${kind} ${table}.${name}`;

const MOST = 20;

export function ofSchema({ missing, different, foreign }: Drift): Finding {
  const says = [
    ...missing.filter((each) => !isForSpeed(each)).map((each) => `${wordsOf(each)} is missing`),
    ...different.filter((each) => !isForSpeed(each)).map((each) => `${wordsOf(each)} differs`),
    ...foreign.map((each) => `${wordsOf(each)} is not ours`),
  ];
  return says.length > 0
    ? failing(
        "schema",
        `${counted(says.length, "part", "parts")} of the tables differ from what the migrations make: ${listed(says, MOST, "")}.`,
        "Undo what was changed by hand (prisma/objects.txt says how each part should be), or restore a backup.",
      )
    : fine("schema", "The tables are as the migrations make them.");
}

const BUILT_BESIDE = /_cc(new|old)\d*$/;

/** The most characters that a name has. */
const LONGEST = 63;

/**
 * Which of the indexes that are not usable are those of the migrations, or were left beside them by a build. The others are the
 * operator's.
 */
export function ownOf(broken: readonly string[], expected: readonly DatabaseObject[]): string[] {
  const ours = expected.filter(({ kind }) => kind === "index" || kind === "constraint").map(({ name }) => name);
  const isOurs = (name: string): boolean => {
    const stem = name.replace(BUILT_BESIDE, "");
    const isCut = stem !== name && name.length === LONGEST;
    return ours.some((each) => each === name || each === stem || (isCut && each.startsWith(stem)));
  };
  return broken.filter(isOurs);
}

/** `broken`: names of indexes that a broken build left, which no query uses. */
export function ofIndexes(broken: readonly string[], { missing, different }: Drift): Finding {
  const says = [
    ...broken.map((name) => `${name} is not usable`),
    ...missing.filter(isForSpeed).map(({ name }) => `${name} is missing`),
    ...different.filter(isForSpeed).map(({ name }) => `${name} differs`),
  ];
  return says.length > 0
    ? warning(
        "indexes",
        `Lists may be slow: ${listed(says, MOST, "")}.`,
        "rapport doctor --fix builds what is missing or not usable, while the app runs; drop one that differs first.",
      )
    : fine("indexes", "Every index is there and can be used.");
}

/** The statement that builds a missing index while others write. */
export const buildOf = ({ definition }: DatabaseObject): string =>
  definition.replace(/^CREATE (UNIQUE )?INDEX /, "$&CONCURRENTLY ");

/** The statement that mends an index that is not usable. What a build by `REINDEX` left beside the index itself is dropped. */
export function mendingOf(name: string): string {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  return BUILT_BESIDE.test(name) ? `DROP INDEX CONCURRENTLY ${quoted}` : `REINDEX INDEX CONCURRENTLY ${quoted}`;
}
