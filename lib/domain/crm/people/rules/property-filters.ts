import { Fault } from "#lib/core/errors.ts";
import { Days } from "#lib/core/schema.ts";
import { fieldAliases, numberIn, type Stage, stages } from "#lib/domain/crm/recording/service.ts";
import { vocabulary } from "#lib/domain/crm/scores/service.ts";
import { fold } from "#lib/text/fold.ts";
import { splitList } from "#lib/text/list-text.ts";
import { own } from "#lib/text/own.ts";
import { DAY_MS, parseTime } from "#lib/text/time.ts";
import {
  type FieldType,
  notOfCompanies,
  notProperties,
  type StandardField,
  type Subject,
  standardField,
} from "./standard-fields.ts";

/** What may stand before the value of a property filter, each followed by a colon. */
export const operators = ["eq", "not", "gte", "lte", "contains", "in", "exists"] as const;
type Operator = (typeof operators)[number];

/** Operators of other APIs, which would otherwise be taken for text and find nothing. */
const strangers = new Set(
  "gt lt ne neq nin not_in is like ilike between before after starts startswith starts_with ends endswith ends_with regex null".split(
    " ",
  ),
);

/** One value that a property may be: its text folded, and the number or moment that it is. */
export type FilterValue = { folded: string; number: number | null; time: Date | null };

/** What must hold for one property. Everything of a list of tests must hold. */
export type PropertyTest =
  | { is: "any"; wanted: readonly FilterValue[] }
  | { is: "not"; wanted: readonly FilterValue[] }
  | { is: "whole" | "notWhole"; folded: readonly string[] }
  | { is: "contains"; folded: string }
  | { is: "number"; than: "gte" | "lte"; value: number }
  | { is: "time"; than: "gte" | "lte"; value: Date }
  | { is: "stage"; stages: readonly Stage[] }
  | { is: "exists"; exists: boolean };

/** `places`: the names under which `property_values` has it. */
export type PropertyFilter = {
  name: string;
  places: readonly string[];
  field: StandardField | null;
  test: PropertyTest;
};

/** Whose properties are tested: those of the listed records, or of the companies of listed people. */
export type Whose = "property" | "company";

/** The filter for records that have, or do not have, a property. */
export const presenceOf = (subject: Subject, name: string, exists: boolean): PropertyFilter => ({
  name,
  places: [name],
  field: standardField(subject, name),
  test: { is: "exists", exists },
});

/** The refusal of a filter; it names the parameter and says which operators there are. */
function refuse(parameter: string, why: string): Fault {
  return new Fault("invalid_parameter", { parameter, allowed: operators }, `${parameter}: ${why}`);
}

/** Fields of companies that are compared as places: what else a place may be written as, and where it stands. */
const places: Readonly<Record<string, { places: readonly string[]; like(text: string): readonly string[] }>> = {
  country: { places: ["country"], like: vocabulary.countryLike },
  region: { places: ["country", "region"], like: vocabulary.regionLike },
};

/** What filters call fields of companies besides the names and aliases that are written. */
const shorter: Readonly<Record<Subject, Readonly<Record<string, string>>>> = {
  person: {},
  company: { size: "employee_count", employees: "employee_count" },
};
/** Where a number of employees stands: as the field, or as a property that was written under the other name. */
const SIZES = ["employee_count", "employees"];

/**
 * The filters that parameters such as `property.<name>=value` mean. Values of one name without an operator, or with `eq` and
 * `in`, are alternatives; everything else must hold. `not` finds what `in` does not, records without a value included.
 * Throws 400 `invalid_parameter`.
 */
export function propertyFilters(
  subject: Subject,
  parameters: Readonly<Record<string, readonly string[]>>,
  whose: Whose = "property",
): PropertyFilter[] {
  return Object.entries(parameters).flatMap(([called, texts]) => {
    const name = own(fieldAliases[subject], called) ?? own(shorter[subject], called) ?? called;
    const parameter = `${whose}.${called}`;
    const instead = own(whose === "company" ? notOfCompanies : notProperties, name);
    if (instead !== undefined) throw refuse(parameter, `is not a property; use ${instead}.`);
    const place = subject === "company" ? own(places, name) : undefined;
    const field = standardField(subject, name);
    const operators = texts.map((text) => saidIn(parameter, text));
    const equal = operators.filter(({ operator }) => operator === "eq" || operator === "in");
    const other = operators.filter(({ operator }) => operator !== "eq" && operator !== "in");
    const wanted = equal.flatMap(({ operator, text }) =>
      operator === "in" ? listIn(parameter, operator, text) : [text],
    );
    const whole = (all: readonly string[]) => [...new Set(all.flatMap((text) => place?.like(text) ?? []))];
    const tests = [
      ...(equal.length > 0
        ? [place ? ({ is: "whole", folded: whole(wanted) } as const) : anyOf(parameter, field, wanted)]
        : []),
      ...other.map(({ operator, text }) =>
        place && operator === "not"
          ? ({ is: "notWhole", folded: whole(listIn(parameter, operator, text)) } as const)
          : testOf(parameter, field, operator, text),
      ),
    ];
    return tests.map((test) => ({ name, places: placesOf(subject, name), field, test }));
  });
}

function placesOf(subject: Subject, name: string): readonly string[] {
  if (subject === "person") return [name];
  return name === "employee_count" ? SIZES : (own(places, name)?.places ?? [name]);
}

type OperatorText = { operator: Operator; text: string };

/** The operator of a value; without one it is `eq`, and all of it the value. */
function saidIn(name: string, text: string): OperatorText {
  const [, word, rest] = /^([a-z_]+):(.*)$/is.exec(text) ?? [];
  const operator = word?.toLowerCase();
  if (operator === undefined || rest === undefined) return { operator: "eq", text };
  if ((operators as readonly string[]).includes(operator)) return { operator: operator as Operator, text: rest };
  if (!strangers.has(operator)) return { operator: "eq", text };
  throw refuse(
    name,
    `${operator} is not an operator; there are ${operators.join(", ")}. For text that begins with \`${word}:\` write \`eq:${word}:…\`.`,
  );
}

function listIn(name: string, operator: "in" | "not", text: string): string[] {
  const items = splitList(text);
  if (items.includes(""))
    throw refuse(name, `${operator} takes values separated by commas, such as ${operator}:EMEA,DACH.`);
  return items;
}

function anyOf(
  name: string,
  field: StandardField | null,
  texts: readonly string[],
): Extract<PropertyTest, { is: "any" } | { is: "stage" }> {
  if (field?.list === "stages") return { is: "stage", stages: texts.map((text) => stageIn(name, text)) };
  const type = field?.type;
  const wanted = texts.map((text) => {
    const number = type === "text" || type === "date" ? null : numberIn(text.trim());
    const time = type === "date" ? parseTime(text.trim()) : null;
    if (type === "number" && number === null) throw refuse(name, "is a number, such as 50 or gte:50.");
    if (type === "date" && time === null)
      throw refuse(name, "is a time: ISO 8601 with an offset, or a date, such as gte:2026-06-03.");
    return { folded: fold(text), number, time };
  });
  return { is: "any", wanted };
}

/** The complement of a test for equal values. */
const noneOf = (test: ReturnType<typeof anyOf>): PropertyTest =>
  test.is === "stage"
    ? { is: "stage", stages: stages.filter((stage) => !test.stages.includes(stage)) }
    : { is: "not", wanted: test.wanted };

function testOf(name: string, field: StandardField | null, operator: Operator, text: string): PropertyTest {
  if (operator === "exists") {
    if (text !== "true" && text !== "false") throw refuse(name, "exists takes true or false.");
    return { is: "exists", exists: text === "true" };
  }
  if (operator === "contains") return contains(name, field, text);
  if (operator === "not") return noneOf(anyOf(name, field, listIn(name, operator, text)));
  const than = operator === "gte" ? "gte" : "lte";
  if (field?.list === "stages") {
    const bound = stages.indexOf(stageIn(name, text));
    return { is: "stage", stages: stages.filter((_, at) => (than === "gte" ? at >= bound : at <= bound)) };
  }
  return bounded(name, field?.type, than, text.trim());
}

function contains(name: string, field: StandardField | null, text: string): PropertyTest {
  if (field && field.type !== "text")
    throw refuse(name, `is a ${field.type}, which has eq, not, gte, lte, in and exists, not contains.`);
  const folded = fold(text);
  if (folded === "") throw refuse(name, "contains takes the text to look for.");
  if (field?.list === "stages") return { is: "stage", stages: stages.filter((stage) => stage.includes(folded)) };
  return { is: "contains", folded };
}

/** A property of no known type compares with what the bound is: a number or a moment. */
function bounded(name: string, type: FieldType | undefined, than: "gte" | "lte", text: string): PropertyTest {
  if (type === "text") throw refuse(name, `is text, which has eq, not, contains, in and exists, not ${than}.`);
  const number = type === "date" ? null : numberIn(text);
  if (number !== null) return { is: "number", than, value: number };
  const time = type === "number" ? null : (daysAgo(text) ?? parseTime(text));
  if (time !== null) return { is: "time", than, value: time };
  const what =
    type === "number"
      ? "a number"
      : type === "date"
        ? "an ISO 8601 time, a date or days ago"
        : "a number, an ISO 8601 time, a date or days ago";
  throw refuse(name, `${than} takes ${what}, such as ${type === "date" ? "2026-06-03 or 7d" : "50"}.`);
}

/** The moment so many days ago, as `7d`; null for any other text. */
function daysAgo(text: string): Date | null {
  const days = Days.safeParse(text);
  return days.success ? new Date(Date.now() - days.data * DAY_MS) : null;
}

/** True for a text that a test of text means. */
export function textMatches(test: PropertyTest, text: string): boolean {
  const folded = fold(text);
  if (test.is === "contains") return folded.includes(test.folded);
  if (test.is !== "any" && test.is !== "not") return false;
  return test.wanted.some((wanted) => wanted.folded === folded) === (test.is === "any");
}

function stageIn(name: string, text: string): Stage {
  const stage = stages.find((each) => each === fold(text));
  if (stage === undefined) throw refuse(name, `is one of ${stages.join(", ")}.`);
  return stage;
}
