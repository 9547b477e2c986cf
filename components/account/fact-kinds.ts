import { isStage } from "#components/records/stages.ts";
import type { Property } from "#lib/domain/crm/people/contract.ts";
import type { ClaimView } from "./calls.ts";
import { countryCode, countryName } from "./countries.ts";

export type FactValue = ClaimView["value"];

/** How a value is written by hand. */
export type FactKind =
  | "text"
  | "long"
  | "number"
  | "boolean"
  | "date"
  | "list"
  | "stage"
  | "country"
  | "company"
  | "json";

const LONG = 80;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** How a fact is written: by its name, else by the value it has, else by what others of its name are. */
export function kindOf(property: string, value: unknown, type?: Property["type"]): FactKind {
  if (property === "pipeline_stage") return "stage";
  if (property === "country") return "country";
  if (property === "works_at") return "company";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (Array.isArray(value)) return value.every((item) => typeof item === "string") ? "list" : "json";
  if (typeof value === "object" && value !== null) return "json";
  if (typeof value !== "string") return type ?? "text";
  if (DATE.test(value)) return "date";
  return value.length > LONG || value.includes("\n") ? "long" : "text";
}

/** A value as the text of its input. */
export function textOf(kind: FactKind, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "list") return (value as string[]).join("\n");
  if (kind === "json") return JSON.stringify(value, null, 2);
  if (kind === "country") return countryName(String(value));
  return String(value);
}

type ParsedValue = { value: FactValue } | { refusal: string };

/** The value that a text means, or why it means none. */
export function valueFrom(kind: FactKind, text: string): ParsedValue {
  const input = text.trim();
  if (input === "") return { refusal: "Enter a value, or mark the fact as wrong." };
  const read = readers[kind];
  return read ? read(input) : { value: input };
}

const readers: Partial<Readonly<Record<FactKind, (input: string) => ParsedValue>>> = {
  number(said) {
    const plain = said.replace(/(?<=\d)[ ,\u00a0](?=\d{3}(\D|$))/g, "");
    const value = Number(plain);
    return Number.isFinite(value) ? { value } : { refusal: "Enter a number, such as 1200 or 0.5." };
  },
  boolean: (text) => ({ value: text === "true" }),
  date: (text) =>
    DATE.test(text) && !Number.isNaN(Date.parse(text)) ? { value: text } : { refusal: "Enter a day, month and year." },
  list: (text) => ({
    value: text
      .split("\n")
      .map((item) => item.trim())
      .filter(Boolean),
  }),
  stage: (text) => (isStage(text) ? { value: text } : { refusal: "Choose a stage." }),
  country: (text) => ({ value: countryCode(text) }),
  json(said) {
    try {
      return { value: JSON.parse(said) as FactValue };
    } catch {
      return { refusal: "This is not valid JSON." };
    }
  },
};
