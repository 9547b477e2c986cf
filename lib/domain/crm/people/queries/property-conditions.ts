import type { Piece } from "#lib/db/listing.ts";
import type { PropertyFilter, PropertyTest, Wanted } from "../rules/property-filters.ts";
import { literal } from "../rules/search.ts";
import type { StandardField, Subject } from "../rules/standard-fields.ts";
import type { PeopleCondition as Condition } from "./lists.ts";

type Column = Extract<StandardField["kept"], { in: "column" }>;
type Line = Extract<StandardField["kept"], { in: "line" }>;

const is = (text: string, ...values: unknown[]): Condition => ({ text, values, rare: true, probe: { text, values } });
const NOTHING = is("false");

/** The condition for a property filter; `sources`: those there are that the filter means, for the property of this name. */
export function propertyCondition(
  subject: Subject,
  { name, field, test }: PropertyFilter,
  sources: readonly string[],
): Condition {
  if (test.is === "exists" && !field) return amongValues(subject, name, test.exists, null);
  if (test.is === "stage") return is("p.pipeline_stage = ANY(?::pipeline_stage[])", test.stages);
  const isNot = test.is === "not";
  const equal: PropertyTest = isNot ? { is: "any", wanted: test.wanted } : test;
  if (!field) return amongValues(subject, name, !isNot, valueTest(equal));
  if (field.kept.in === "values") {
    if (test.is !== "exists") return amongValues(subject, name, !isNot, valueTest(equal));
    // The row itself says whether there is one.
    return {
      ...amongValues(subject, name, test.exists, null),
      probe: { text: `p.${name} IS ${test.exists ? "NOT NULL" : "NULL"}`, values: [] },
    };
  }
  if (test.is === "exists") return is(`p.${field.kept.column} IS ${test.exists ? "NOT NULL" : "NULL"}`);
  if (field.list === "sources") return is("p.source = ANY(?::text[])", sources);
  const found = field.kept.in === "line" ? inLine(field.kept, equal) : inColumn(field.kept, field.type, equal);
  return isNot ? is(`(${found.text}) IS NOT TRUE`, ...found.values) : found;
}

/** All of these, as one condition. */
export const allOf = (conditions: readonly Condition[]): Condition => ({
  ...joined(conditions),
  probe: joined(conditions.map((condition) => condition.probe ?? condition)),
  rare: true,
});

const joined = (pieces: readonly Piece[]): Piece => ({
  text: pieces.map(({ text }) => text).join(" AND "),
  values: pieces.flatMap(({ values }) => values),
});

/** True for a filter that finds the records that have no such value among `property_values`. */
export const isAbsence = ({ field, test }: PropertyFilter): boolean =>
  test.is === "exists" && !test.exists && (!field || field.kept.in === "values");

/** property_values_text_idx, property_values_name_idx, property_values_time_idx, property_values_pkey */
function amongValues(subject: Subject, name: string, there: boolean, test: Condition | null): Condition {
  const not = there ? "" : "NOT ";
  const holds = `v.subject = ?::entity_type${test ? ` AND ${test.text}` : ""}`;
  const values = [name, subject, ...(test?.values ?? [])];
  // With OFFSET it stays a look-up of the one value by the primary key.
  const probe = `${not}EXISTS (SELECT FROM (SELECT * FROM property_values v WHERE v.workspace_id = $workspace AND v.entity_id = p.id AND v.property = ? OFFSET 0) AS v WHERE ${holds})`;
  return {
    text: `p.id ${not}IN (SELECT v.entity_id FROM property_values v WHERE v.workspace_id = $workspace AND v.property = ? AND ${holds})`,
    probe: { text: probe, values },
    values,
    rare: true,
  };
}

function valueTest(test: PropertyTest): Condition {
  if (test.is === "contains") return is("v.folded LIKE ?", `%${literal(test.folded)}%`);
  if (test.is === "number") return is(`v.number ${SIGN[test.than]} ?::float8`, test.value);
  if (test.is === "time") return is(`v.time ${SIGN[test.than]} ?::timestamptz`, test.value);
  if (test.is !== "any") throw new Error(`${test.is} is not a test of a value`);
  return anyOf(test.wanted, ({ folded, number }) => [
    is("v.folded LIKE ?", `%\n${literal(folded)}\n%`),
    ...(number === null ? [] : [is("v.number = ?::float8", number)]),
  ]);
}

const SIGN = { gte: ">=", lte: "<=" } as const;

/** people_search_idx, companies_search_idx: a line of the folded text, found by its place among the line breaks. */
function inLine({ line, of, column }: Line, test: PropertyTest): Condition {
  const before = "%\n".repeat(line);
  const after = "\n%".repeat(of - 1 - line);
  const searched = (part: string) => is("p.search LIKE ?", `${before}${part}${after}`);
  const found =
    test.is === "contains"
      ? searched(`%${literal(test.folded)}%`)
      : test.is === "any"
        ? anyOf(test.wanted, ({ folded }) => [searched(literal(folded))])
        : NOTHING;
  return is(`(${found.text} AND p.${column} IS NOT NULL)`, ...found.values);
}

/** people_score_idx, people_created_idx, people_updated_idx, people_activity_idx, and those of companies */
function inColumn({ column }: Column, type: StandardField["type"], test: PropertyTest): Condition {
  const cast = type === "number" ? "int" : "timestamptz";
  const compare = (sign: string, value: number | Date) => is(`p.${column} ${sign} ?::${cast}`, value);
  if (test.is === "time") return compare(SIGN[test.than], test.value);
  if (test.is === "number") return wholeBound(test.than, test.value, compare);
  if (test.is !== "any") return NOTHING;
  return anyOf(test.wanted, ({ number, time }) => {
    if (time !== null) return [compare("=", time)];
    return number !== null && Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? [compare("=", number)] : [];
  });
}

/** These columns hold whole numbers of 32 bits. */
function wholeBound(
  than: "gte" | "lte",
  value: number,
  compare: (sign: string, value: number) => Condition,
): Condition {
  const bound = than === "gte" ? Math.ceil(value) : Math.floor(value);
  const most = 2 ** 31 - 1;
  if (than === "gte" ? bound > most : bound < -most) return NOTHING;
  return compare(SIGN[than], Math.min(most, Math.max(-most, bound)));
}

function anyOf(wanted: readonly Wanted[], arms: (wanted: Wanted) => Condition[]): Condition {
  const all = wanted.flatMap(arms);
  if (all.length === 0) return NOTHING;
  return is(`(${all.map(({ text }) => text).join(" OR ")})`, ...all.flatMap(({ values }) => values));
}
