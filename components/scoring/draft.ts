import { randomId } from "#components/random-id.ts";
import type { Op, Rule, Signal } from "#lib/domain/knowledge/scoring/contract.ts";

/** A signal being edited; `value` as it is typed. `id` stays the same while its key and label change. */
export type SignalDraft = {
  id: string;
  key: string;
  label: string;
  weight: number;
  feature: string;
  op: Op;
  value: string;
  disqualify: boolean;
};

export const builderWords = {
  given: "Written by hand",
  rules: "Based on your GTM profile",
  llm: "Drafted by a language model from your GTM profile",
} as const;

export const opWords: Readonly<Record<Op, string>> = {
  "==": "is exactly",
  "!=": "is none of",
  in: "is one of",
  contains_any: "contains any of",
  ">=": "is at least",
  "<=": "is at most",
  ">": "is more than",
  "<": "is less than",
  between: "is between",
  scaled: "grows from, to",
  exists: "is known",
};

export const featureWords: Readonly<Record<string, string>> = {
  job_title: "Job title",
  seniority: "Seniority",
  department: "Department",
  company: "Company",
  industry: "Industry",
  employee_count: "Employees",
  country: "Country",
  region: "Country or region",
  technologies: "Technologies",
};

/** What kind of value an operator takes. */
export const takes = (op: Op): "list" | "number" | "range" | "text" | "nothing" =>
  op === "in" || op === "contains_any" || op === "!="
    ? "list"
    : op === "exists"
      ? "nothing"
      : op === "scaled" || op === "between"
        ? "range"
        : op === "=="
          ? "text"
          : "number";

export const draftOf = ({ key, label, weight, rule }: Signal): SignalDraft => ({
  ...{ id: key, key, label, weight, feature: rule.feature, op: rule.op },
  value: rule.op === "exists" ? (rule.value === false ? "no" : "yes") : valueText(rule.value),
  disqualify: rule.disqualify === true,
});

const valueText = (value: Rule["value"]): string =>
  Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value);

/** A signal to begin with, whose key no other has. */
export function newSignal(others: readonly SignalDraft[]): SignalDraft {
  const keys = new Set(others.map(({ key }) => key));
  let number = others.length + 1;
  while (keys.has(`signal_${number}`)) number += 1;
  const key = `signal_${number}`;
  return { id: randomId(), key, label: "", weight: 5, feature: "industry", op: "in", value: "", disqualify: false };
}

/** The signals as they are sent; the server may refuse them while there are problems. */
export const signalsOf = (drafts: readonly SignalDraft[]): Signal[] =>
  drafts.map(({ key, label, weight, feature, op, value, disqualify }) => ({
    ...{ key, label: label.trim(), weight },
    rule: { feature: feature.trim(), op, ...sentValue(op, value), ...(disqualify ? { disqualify } : {}) },
  }));

function sentValue(op: Op, text: string): Pick<Rule, "value"> {
  const items = itemsIn(text);
  switch (takes(op)) {
    case "list":
      return { value: items };
    case "range":
      return { value: items.map(Number) };
    case "number":
      return { value: numberIn(text) };
    case "nothing":
      return text === "no" ? { value: false } : {};
    default:
      return { value: text.trim() };
  }
}

const itemsIn = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const numberIn = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text.replaceAll(/[,\s]/g, "")));

export type DraftProblem = { label?: string; feature?: string; value?: string };

const FEATURE = /^((person|company)\.)?[a-z][a-z0-9_]{0,62}$/;

/** What must be corrected, by the id of the signal. */
export function problemsIn(drafts: readonly SignalDraft[]): Readonly<Record<string, DraftProblem>> {
  return Object.fromEntries(
    drafts.flatMap((draft): [string, DraftProblem][] => {
      const problem = problemOf(draft);
      return Object.keys(problem).length > 0 ? [[draft.id, problem]] : [];
    }),
  );
}

function problemOf({ label, feature, op, value }: SignalDraft): DraftProblem {
  const problem: DraftProblem = {};
  if (label.trim() === "") problem.label = "Enter a name.";
  if (!(feature in featureWords) && !FEATURE.test(feature.trim()))
    problem.feature = "Enter the name of a property, person.<property> or company.<property>.";
  const kind = takes(op);
  if (kind === "list" && itemsIn(value).length === 0) problem.value = "Enter one or more, separated by commas.";
  if (kind === "text" && value.trim() === "") problem.value = "Enter a value.";
  if (kind === "number" && !Number.isFinite(numberIn(value))) problem.value = "Enter a number.";
  if (kind === "range") {
    const [from, to, ...more] = itemsIn(value).map(Number);
    const areTwo = from !== undefined && to !== undefined && more.length === 0 && Number.isFinite(from + to);
    if (op === "scaled" && (!areTwo || from === to)) problem.value = "Enter two different numbers, such as 10, 500.";
    if (op === "between" && (!areTwo || from > to)) problem.value = "Enter the least and the most, such as 50, 500.";
  }
  return problem;
}

/** Whether two models say the same. */
export const isSameModel = (a: readonly Signal[], b: readonly Signal[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
