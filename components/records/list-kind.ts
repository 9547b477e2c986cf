import type { ReactNode } from "react";
import type { Stage } from "./stages.ts";

type SortField = "last_activity" | "icp_score" | "created" | "score" | "name" | "company" | "stage";

/** What a cell may need in addition to its row. */
export type CellContext<Row> = { workspaceId: string; onStage: (row: Row, stage: Stage) => void };

export type Column<Row> = {
  id: string;
  label: string;
  /** Its share of the table's width. */
  weight: number;
  align?: "left" | "right";
  sort?: SortField;
  /** A first press sorts from the beginning of the alphabet, not from the highest. */
  ascendingFirst?: boolean;
  /** The API sorts by it in one direction only. */
  descendingOnly?: boolean;
  /** Shown unless the reader chose otherwise. */
  standard?: boolean;
  /** Left out of the standard ones while no loaded row has a value. */
  onceKnown?: boolean;
  cell: (row: Row, context: CellContext<Row>) => ReactNode;
  /** The same as text, for a CSV file. */
  text: (row: Row) => string;
};

export type Choice = { value: string; label: string };

/**
 * A filter of the API: its parameter, and how its value is picked. `choices` takes several of a closed list, `values` several
 * of those that the records have in the property of that name, `owner` a member beside its choices. A `property` filter is
 * about the records' own properties; with the id `company`, about those of people's companies.
 */
export type Filter = {
  id: string;
  label: string;
  /** What else it may be called when it is looked for. */
  names?: string;
  kind: "choice" | "choices" | "boolean" | "text" | "range" | "days" | "company" | "values" | "owner" | "property";
  choices?: readonly Choice[];
  hint?: string;
  /** of days: what it is called when it is set to a time */
  timed?: string;
  /** of choices: the list whose rows are counted for each */
  counted?: "people";
  /** the field may be empty, which can be asked too */
  optional?: boolean;
  /** of a range: the parameter of its upper end; `id` is that of the lower */
  upTo?: string;
  /** of a range; default: whole numbers up to 100 */
  range?: { max: number; step: number };
  /** whose property it is */
  subject?: "person" | "company";
  /** the property, where it is not called as the filter; of a `property` filter, the one it begins with */
  property?: string;
};

/** The list's part of the address: filters, search, sort and columns by name; null means not set. */
export type PlaceValue = string | number | boolean | string[] | null;
export type Place = Readonly<Record<string, PlaceValue>>;

/** How many there are; `capped`: more than these. */
export type Total = { count: number; capped: boolean };

export type RecordPage<Row> = {
  rows: readonly Row[];
  has_more: boolean;
  next_cursor: string | null;
  /** only when it was asked for */
  total?: Total | undefined;
};

export type ListedRecord = { id: string; properties: Readonly<Record<string, unknown>> };

/** What differs between lists. `C`: how a row changes; `Id`: its name, also in the cache of react-query. */
export type ListKind<
  Row extends ListedRecord,
  C extends object = Change,
  Id extends string = "people" | "companies",
> = {
  id: Id;
  one: string;
  many: string;
  searchHint: string;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  nameOf: (row: Row) => string;
  /** The lines of a card, on a narrow screen. */
  card: (row: Row, context: CellContext<Row>) => ReactNode;
  list: (workspaceId: string, query: Query, signal?: AbortSignal) => Promise<RecordPage<Row>>;
  change: (workspaceId: string, id: string, change: C) => Promise<Row>;
  hasStages: boolean;
  /** What an exported row's id is called. */
  idLabel?: string;
};

/** The input of the list operation; filters by properties are `property.<name>` and `company.<name>`. */
export type Query = Readonly<Record<string, string | number | boolean | string[]>>;

export type Change = { pipeline_stage?: Stage; owner?: string | null; status?: "active" | "archived" };
