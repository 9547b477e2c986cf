import type { z } from "zod";
import { type ErrorCode, Fault, messageOf, statusOf } from "./errors.ts";
import { issueWords } from "./issue-words.ts";
import { checkJson } from "./json.ts";
import { type Contract, pathFields } from "./operation.ts";
import { own } from "./own.ts";
import { BLANK, isPropertyFilter, PROPERTY } from "./schema.ts";

/** What a caller may give outside the path, as it is called there. */
export function supportedBy(contract: Contract): string[] {
  const inPath = pathFields(contract);
  return Object.entries(contract.input.shape).flatMap(([name, schema]) => {
    if (inPath.includes(name)) return [];
    return isPropertyFilter(schema) ? [`${PROPERTY}.<name>`] : [name];
  });
}

/**
 * Checks what a caller sent, by whatever transport: what no operation takes (`checkJson`), then as `parsePart` does. Throws a
 * `Fault`.
 */
export function parseInput<I extends z.ZodObject>(contract: Contract<I>, raw: unknown): z.output<I> {
  checkJson(raw);
  return parsePart(contract, raw);
}

/**
 * Checks `raw`, which came by `parseInput` as part of another input, against the contract's input. Order of faults: fields
 * that are missing, the endpoint's own codes, unknown fields, other values. Text that is no id names nothing (404); a value of
 * another type is a wrong value (400).
 */
export function parsePart<I extends z.ZodObject>(contract: Contract<I>, raw: unknown): z.output<I> {
  const missing = missingIn(contract, raw);
  if (missing) throw new Fault(missing);
  const result = contract.input.safeParse(raw, { error: issueWords });
  if (result.success) return result.data;
  throw inputFault(contract, result.error.issues, raw);
}

const isObject = (raw: unknown): raw is Record<string, unknown> => typeof raw === "object" && raw !== null;

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** The code of fields of which one must be given, where none is. */
function missingIn({ codes: { missing = {} } = {} }: Contract, raw: unknown): ErrorCode | undefined {
  if (!isObject(raw)) return undefined;
  const none = (fields: string) =>
    fields.includes("|") && fields.split("|").every((field) => isMissing(own(raw, field)));
  return Object.entries(missing).find(([fields]) => none(fields))?.[1];
}

/** The fault of an input; one with several says of each other parameter what is wrong with it, so that a form can show all at once. */
function inputFault(contract: Contract, issues: readonly z.core.$ZodIssue[], raw: unknown): Fault {
  const first = firstFault(contract, issues, raw);
  const others: Record<string, Problem> = Object.create(null);
  for (const issue of issues.slice(0, MOST_PROBLEMS)) {
    const { code, extras, message } = firstFault(contract, [issue], raw);
    const parameter = String(extras.parameter ?? issue.path[0] ?? "");
    others[parameter] ??= { parameter, error: code, message };
  }
  const problems = Object.values(others);
  return problems.length > 1 ? new Fault(first.code, { ...first.extras, problems }, first.message) : first;
}

const MOST_PROBLEMS = 20;

type Problem = { parameter: string; error: ErrorCode; message: string };

function firstFault(contract: Contract, issues: readonly z.core.$ZodIssue[], raw: unknown): Fault {
  const { missing, fields } = contract.codes ?? {};
  const record = isObject(raw) ? raw : {};
  for (const issue of issues) {
    const field = String(issue.path[0] ?? "");
    const code = issue.path.length === 1 ? own(missing, field) : undefined;
    if (code && (issue.message === BLANK || isMissing(own(record, field)))) return new Fault(code);
  }

  for (const issue of issues) {
    const field = String(issue.path[0] ?? "");
    const code = own(fields, field);
    if (code && !(statusOf(code) === 404 && typeof own(record, field) !== "string")) {
      const extras = { ...allowedOf(issue), ...indexOf(issue), parameter: pathText(issue) };
      return new Fault(code, extras, `${messageOf(code)} ${pathText(issue)}: ${sentence(issue)}`);
    }
  }

  const unknown = issues.find((issue) => issue.code === "unrecognized_keys" && issue.path.length === 0);
  if (unknown?.code === "unrecognized_keys") {
    const [parameter] = unknown.keys;
    return new Fault(
      "unknown_parameter",
      { parameter, supported: supportedBy(contract) },
      `${parameter} is not a parameter of this endpoint.`,
    );
  }

  const issue = issues[0] as z.core.$ZodIssue;
  const parameter = parameterOf(contract, issue);
  return new Fault("invalid_parameter", { parameter, ...allowedOf(issue) }, `${parameter}: ${sentence(issue)}`);
}

const pathText = (issue: z.core.$ZodIssue): string => issue.path.map(String).join(".");

/** What the caller calls the value: of a property filter `property.<name>`, else its path. */
const parameterOf = ({ input }: Contract, issue: z.core.$ZodIssue): string =>
  issue.path.length > 1 && isPropertyFilter(input.shape[String(issue.path[0])])
    ? `${PROPERTY}.${String(issue.path[1])}`
    : pathText(issue);

const indexOf = (issue: z.core.$ZodIssue) => (typeof issue.path[1] === "number" ? { index: issue.path[1] } : {});

const allowedOf = (issue: z.core.$ZodIssue) => (issue.code === "invalid_value" ? { allowed: issue.values } : {});

const sentence = (issue: z.core.$ZodIssue): string =>
  issue.message === BLANK
    ? "must not be blank."
    : `${((issue.code === "invalid_key" && issue.issues[0]?.message) || issue.message).replace(/\.$/, "")}.`;
