import type { BadgeProps } from "#components/ui/badge.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { Column, Import, ImportKind, ImportState, RowOutcome } from "#lib/domain/workspace/imports/contract.ts";

export const kinds = ["people", "companies", "notes", "activities"] as const satisfies readonly ImportKind[];
export const kindLabels: Readonly<Record<ImportKind, string>> = {
  people: "People",
  companies: "Companies",
  notes: "Notes",
  activities: "Activities",
};

const ones: Readonly<Record<ImportKind, string>> = {
  people: "person",
  companies: "company",
  notes: "note",
  activities: "activity",
};

/** The page that has the records of a kind. */
export const pageOf = (kind: ImportKind): string => (kind === "activities" ? "activity" : kind);

/** 1234 as `1,234`. */
export const figure = (count: number): string => numeral(count);

/** `1 row`, `1,234 rows`. */
export const rowsWords = (count: number): string => `${figure(count)} ${count === 1 ? "row" : "rows"}`;

/** `1 person`, `1,234 people`. */
export const recordsWords = (kind: ImportKind, count: number): string =>
  `${figure(count)} ${count === 1 ? ones[kind] : kind}`;

/** Records of any kind: a file of people also makes their companies. */
export const anyRecordsWords = (count: number): string => `${figure(count)} ${count === 1 ? "record" : "records"}`;

const stateLooks: Readonly<Record<ImportState, { label: string; tone: NonNullable<BadgeProps["tone"]> }>> = {
  uploading: { label: "Uploading", tone: "accent" },
  reading: { label: "Reading", tone: "accent" },
  ready: { label: "Needs review", tone: "accent" },
  checking: { label: "Checking", tone: "accent" },
  running: { label: "Importing", tone: "accent" },
  done: { label: "Imported", tone: "success" },
  cancelled: { label: "Stopped", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
  undoing: { label: "Undoing", tone: "accent" },
  undone: { label: "Undone", tone: "neutral" },
};

/** The state of an import in a word. */
export const stateOf = ({ state, run }: Pick<Import, "state" | "run">) =>
  state === "cancelled" && run === null ? { label: "Discarded", tone: "neutral" as const } : stateLooks[state];

const working: readonly ImportState[] = ["uploading", "reading", "checking", "running", "undoing"];

/** Something is under way, so the page is read again. */
export const isWorking = ({ state }: Pick<Import, "state">): boolean => working.includes(state);

export const outcomes = ["created", "updated", "unchanged", "skipped"] as const satisfies readonly RowOutcome[];

/** The result of a row. */
export const outcomeLooks: Readonly<Record<RowOutcome, { label: string; tone: NonNullable<BadgeProps["tone"]> }>> = {
  created: { label: "Created", tone: "success" },
  updated: { label: "Updated", tone: "accent" },
  unchanged: { label: "Unchanged", tone: "neutral" },
  skipped: { label: "Skipped", tone: "neutral" },
};

/** What would come of a row. */
export const plannedLooks: typeof outcomeLooks = {
  ...outcomeLooks,
  created: { label: "New", tone: "success" },
  updated: { label: "Update", tone: "accent" },
};

type Target = NonNullable<Column["to"]>;
type Field = Exclude<Target, `property.${string}`>;

export const fieldLabels: Readonly<Record<string, string>> = {
  email: "E-mail",
  linkedin_url: "LinkedIn profile",
  first_name: "First name",
  last_name: "Last name",
  name: "Full name",
  job_title: "Title",
  company: "Company name",
  company_domain: "Company domain",
  company_linkedin_url: "Company LinkedIn page",
  industry: "Industry",
  employees: "Employees",
  company_country: "Company country",
  country: "Country",
  phone: "Phone",
  stage: "Stage",
  owner: "Owner",
  observed_at: "Date of the data",
  content: "Text of the note",
  title: "Title of the note",
  date: "Date",
  type: "Type",
  note_id: "Id of the note",
  summary: "What happened",
  source: "Source",
  external_id: "Id in its source",
  activity_id: "Id of the activity",
  event: "Event",
  value: "Value of the event",
} satisfies Partial<Record<Field, string>>;

/** How the cells of a column are read. */
export const readingLabels = {
  text: "Text",
  number: "Number, 1,234.5",
  number_comma: "Number, 1.234,5",
  date: "Date, 2026-12-31",
  date_day_first: "Date, 31/12/2026",
  date_month_first: "Date, 12/31/2026",
  date_serial: "Date, days of Excel",
  boolean: "Yes or no",
} as const satisfies Record<NonNullable<Column["as"]>, string>;

/** `1 value`, `1,234 values`. */
export const valuesWords = (count: number): string => `${figure(count)} ${count === 1 ? "value" : "values"}`;

export const encodingLabels = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Windows-1252 (Latin)",
} as const satisfies Record<NonNullable<Import["format"]>["encoding"], string>;

export const delimiterLabels = {
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
  "|": "Vertical bar",
} as const satisfies Record<NonNullable<Import["format"]>["delimiter"], string>;

/** 1536 as `1.5 kB`. */
export function bytesWords(bytes: number): string {
  if (bytes < 1024) return `${figure(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "kB"] : [bytes / 1024 / 1024, "MB"];
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, "") : figure(Math.round(size))} ${unit}`;
}

/** 75 as `1 min`, roughly. */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1).replace(/\.0$/, "")} h`;
}

/** How long a run took; null while it has not ended. */
export const tookWords = ({ started_at, finished_at }: { started_at: string; finished_at: string | null }) =>
  finished_at === null ? null : durationWords((Date.parse(finished_at) - Date.parse(started_at)) / 1000);

/** Words joined as in a sentence: `a, b and c`. */
export const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
