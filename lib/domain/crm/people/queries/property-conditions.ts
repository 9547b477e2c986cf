import type { ValueChoice } from "#lib/core/any-of.ts";
import type { Piece } from "#lib/db/listing.ts";
import { vocabulary } from "#lib/domain/crm/scores/service.ts";
import type { FilterValue, PropertyFilter, PropertyTest } from "../rules/property-filters.ts";
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
  filter: PropertyFilter,
  sources: readonly string[],
  owner = "p.id",
): Condition {
  const { name, field, test } = filter;
  const isNot = test.is === "not" || test.is === "notWhole";
  const equal = positive(test);
  if (!field || field.kept.in === "values") {
    if (test.is !== "exists") return amongValues(subject, filter, !isNot, valueTest(equal), owner);
    const there = amongValues(subject, filter, test.exists, null, owner);
    // The row itself says whether there is one.
    return field && owner === "p.id" && filter.places.length === 1
      ? { ...there, probe: { text: `p.${name} IS ${test.exists ? "NOT NULL" : "NULL"}`, values: [] } }
      : there;
  }
  if (test.is === "stage") return is("p.pipeline_stage = ANY(?::pipeline_stage[])", test.stages);
  if (test.is === "exists") return is(`p.${field.kept.column} IS ${test.exists ? "NOT NULL" : "NULL"}`);
  if (field.list === "sources") return is("p.source = ANY(?::text[])", sources);
  const condition = field.kept.in === "line" ? inLine(field.kept, equal) : inColumn(field.kept, field.type, equal);
  return isNot ? is(`(${condition.text}) IS NOT TRUE`, ...condition.values) : condition;
}

/** The test that a test for none of some values is the complement of; any other as it is. */
export function positive(test: PropertyTest): PropertyTest {
  if (test.is === "not") return { is: "any", wanted: test.wanted };
  return test.is === "notWhole" ? { is: "whole", folded: test.folded } : test;
}

/**
 * The same of the companies of listed people; `sources`: those that the test without a `not` means. Those without a company have none of its properties. companies_pkey for a company at
 * hand, people_company_idx for the people of those that are found.
 */
export function employerCondition(filter: PropertyFilter, sources: readonly string[]): Condition {
  const { field, test } = filter;
  if (!field || field.kept.in === "values") return propertyCondition("company", filter, sources, "p.company_id");
  const isAbsent = test.is === "exists" && !test.exists;
  const isNot = isAbsent || test.is === "not";
  const asked = { ...filter, test: isAbsent ? ({ is: "exists", exists: true } as const) : positive(test) };
  const condition = propertyCondition("company", asked, sources);
  const not = isNot ? "NOT " : "";
  const one = "SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = p.company_id OFFSET 0";
  const those = `SELECT c.id FROM (SELECT * FROM companies p WHERE p.workspace_id = $workspace AND ${condition.text}) AS c`;
  return {
    text: isNot ? notAmong("p.company_id", those) : `p.company_id IN (${those})`,
    probe: { text: `${not}EXISTS (SELECT FROM (${one}) AS p WHERE ${condition.text})`, values: condition.values },
    values: condition.values,
    rare: true,
  };
}

/**
 * Titles with one of these meanings (property_values_text_idx): each phrase is looked for between characters that are no letters, and
 * its words may have silent ones between them.
 */
export function titleCondition({ is: operator, values }: ValueChoice<string>): Condition {
  const meanings = values.map(vocabulary.titlesLike).filter(({ all }) => all.length > 0);
  const tests = meanings.map(({ all, none }) => {
    const must = all.map((phrases) => is("v.folded ~ ?", patternOf(phrases)));
    return joined(none.length === 0 ? must : [...must, is("v.folded !~ ?", patternOf(none))]);
  });
  const any =
    tests.length === 0
      ? NOTHING
      : is(`(${tests.map(({ text }) => `(${text})`).join(" OR ")})`, ...tests.flatMap((test) => test.values));
  return amongValues("person", { places: ["job_title"] }, operator === "any", { ...any, ofText: true }, "p.id");
}

const BETWEEN = `[^[:alnum:]]+((${vocabulary.silentWords.join("|")})[^[:alnum:]]+)*`;

function patternOf(phrases: readonly string[]): string {
  const escaped = (word: string) => word.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&");
  return `[^[:alnum:]](${phrases.map((phrase) => phrase.split(" ").map(escaped).join(BETWEEN)).join("|")})[^[:alnum:]]`;
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

/**
 * None of some ids, or no id at all. They are read once and hashed: an anti join that expects few of them compares each with every
 * row.
 */
const notAmong = (owner: string, those: string): string => `(${owner} IS NULL OR ${owner} NOT IN (${those}))`;

/** property_values_text_idx, property_values_name_idx, property_values_time_idx, property_values_pkey */
function amongValues(
  subject: Subject,
  { places }: Pick<PropertyFilter, "places">,
  there: boolean,
  test: ValueTest | null,
  owner: string,
): Condition {
  const not = there ? "" : "NOT ";
  const tested = test ? ` AND ${test.text}` : "";
  const holds = `v.subject = ?::entity_type${tested}`;
  // As text the subject leads to no index by name: the planner takes the values of one name for few, where there are 50,000.
  const sought = test?.ofText ? `v.subject::text = ?${tested}` : holds;
  const [place] = places;
  const [named, name] = places.length === 1 ? ["v.property = ?", place] : ["v.property = ANY(?::text[])", places];
  const values = [name, subject, ...(test?.values ?? [])];
  // With OFFSET it stays a look-up of the one value by the primary key.
  const probe = `${not}EXISTS (SELECT FROM (SELECT * FROM property_values v WHERE v.workspace_id = $workspace AND v.entity_id = ${owner} AND ${named} OFFSET 0) AS v WHERE ${holds})`;
  const all = `FROM property_values v WHERE v.workspace_id = $workspace AND ${named} AND ${sought}`;
  return {
    text:
      there || owner === "p.id"
        ? `${owner} ${not}IN (SELECT v.entity_id ${all})`
        : notAmong(owner, `SELECT v.entity_id ${all}`),
    probe: { text: probe, values },
    values,
    rare: true,
  };
}

/** `ofText`: of a value's text alone. */
type ValueTest = Condition & { ofText: boolean };

function valueTest(test: PropertyTest): ValueTest {
  const ofText = (condition: Condition): ValueTest => ({ ...condition, ofText: true });
  const notOfText = (condition: Condition): ValueTest => ({ ...condition, ofText: false });
  if (test.is === "contains") return ofText(is("v.folded LIKE ?", `%${literal(test.folded)}%`));
  if (test.is === "whole") {
    const lines = test.folded.map((one) => `\n${one}\n`);
    return ofText(is("v.folded = ANY(?::text[])", lines));
  }
  if (test.is === "number") return notOfText(is(`v.number ${SIGN[test.than]} ?::float8`, test.value));
  if (test.is === "time") return notOfText(is(`v.time ${SIGN[test.than]} ?::timestamptz`, test.value));
  if (test.is !== "any") throw new Error(`${test.is} is not a test of a value`);
  const any = anyOf(test.wanted, ({ folded, number }) => [
    is("v.folded LIKE ?", `%\n${literal(folded)}\n%`),
    ...(number === null ? [] : [is("v.number = ?::float8", number)]),
  ]);
  return { ...any, ofText: test.wanted.every(({ number }) => number === null) };
}

const SIGN = { gte: ">=", lte: "<=" } as const;

/** people_search_idx, companies_search_idx: a line of the folded text, found by its place among the line breaks. */
function inLine({ line, of, column }: Line, test: PropertyTest): Condition {
  const before = "%\n".repeat(line);
  const after = "\n%".repeat(of - 1 - line);
  const searched = (part: string) => is("p.search LIKE ?", `${before}${part}${after}`);
  const values =
    test.is === "contains"
      ? searched(`%${literal(test.folded)}%`)
      : test.is === "any"
        ? anyOf(test.wanted, ({ folded }) => [searched(literal(folded))])
        : NOTHING;
  return is(`(${values.text} AND p.${column} IS NOT NULL)`, ...values.values);
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

function anyOf(wanted: readonly FilterValue[], arms: (wanted: FilterValue) => Condition[]): Condition {
  const all = wanted.flatMap(arms);
  if (all.length === 0) return NOTHING;
  return is(`(${all.map(({ text }) => text).join(" OR ")})`, ...all.flatMap(({ values }) => values));
}
