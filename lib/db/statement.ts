import type { Statement } from "#lib/core/context.ts";

/**
 * Declares a prepared statement; `name` is unique in the process. `$workspace` in its text is the workspace of the work
 * it is sent in. A statement with an empty name is planned again each time, for a condition (a search pattern) whose
 * best plan depends on its value.
 */
export function sql(name: string, text: string): Statement {
  const statement = { name, text };
  if (name !== "") declared.push(statement);
  return statement;
}

/**
 * Declares a statement that is planned once for all values, where it is sent by work that only reads. For a statement that Postgres
 * would plan again for each call, because a plan for the given values looks cheaper, though planning takes longer than running it.
 */
export function sqlPlannedOnce(name: string, text: string): Statement {
  const statement = { name, text, plannedOnce: true };
  declared.push(statement);
  return statement;
}

/** Every named statement of the modules that are loaded; a test reads them. */
export const declared: Statement[] = [];

/** A statement over rows passed as arrays: one form for a single row, one for many. */
export type RowsStatement = { readonly one: Statement; readonly many: Statement };

/**
 * Declares a statement over rows given as arrays; `text` puts its argument after the subquery that unnests them. The
 * planner assumes that an unknown array holds ten rows, so its generic plan looks more expensive than one for the
 * actual array, and it plans again at each call, which for a single row costs more than running it. With `LIMIT 1` it
 * does not. With two to nine rows it still does, except in work that only reads (`plannedOnce`) and in transactions that
 * are asked to plan once.
 */
export const sqlOfRows = (name: string, text: (limit: string) => string, { plannedOnce = false } = {}): RowsStatement =>
  inForms(name, text("LIMIT 1"), text(""), plannedOnce);

/**
 * Declares a statement about the rows whose ids are its first parameter; `these` follows the column. One form is for a
 * single id, one for many, for the reason that `sqlOfRows` gives.
 */
export const sqlOfIds = (name: string, text: (these: string) => string): RowsStatement =>
  inForms(name, text("= ($1::uuid[])[1]"), text("= ANY($1::uuid[])"));

const inForms = (name: string, one: string, many: string, plannedOnce = false): RowsStatement => ({
  one: sql(`${name}_one`, one),
  many: plannedOnce ? sqlPlannedOnce(name, many) : sql(name, many),
});

/** The form for so many rows. */
export const formFor = ({ one, many }: RowsStatement, rows: number): Statement => (rows === 1 ? one : many);

/** A statement with its values, as pg sends it. */
export type BoundQuery = { name: string; text: string; values: unknown[]; plannedOnce?: boolean };

/**
 * Binds a statement's values, and the workspace wherever its text contains `$workspace`: as an additional parameter, so
 * that every planner sees it as a constant, and only here, so that no caller can forget or change it. Throws for a
 * statement of a tenant in work that has no workspace.
 */
export function queryOf(statement: Statement, values: readonly unknown[], workspaceId: string | null): BoundQuery {
  const { text, scoped } = numberedOf(statement);
  if (!scoped) return boundOf(statement, text, [...values]);
  if (workspaceId === null) throw new Error(`${calledInLog(statement)} is about a workspace, and this work has none`);
  return boundOf(statement, text, [...values, workspaceId]);
}

const boundOf = ({ name, plannedOnce }: Statement, text: string, values: unknown[]): BoundQuery =>
  plannedOnce ? { name, text, values, plannedOnce } : { name, text, values };

/** A statement as it is sent. */
type WireStatement = { text: string; scoped: boolean };
const wireStatements = new WeakMap<Statement, WireStatement>();

function numberedOf(statement: Statement): WireStatement {
  let wire = wireStatements.get(statement);
  if (!wire) {
    wire = numberedText(statement.text);
    wireStatements.set(statement, wire);
  }
  return wire;
}

/** The text with a number for `$workspace`: one more than the greatest of its own. */
function numberedText(text: string): WireStatement {
  if (!text.includes("$workspace")) return { text, scoped: false };
  let greatest = 0;
  for (const [, number] of text.matchAll(/\$(\d+)/g)) greatest = Math.max(greatest, Number(number));
  return { text: text.replaceAll("$workspace", `$${greatest + 1}::uuid`), scoped: true };
}

/** A statement's name in the log. */
export const calledInLog = ({ name, text }: Statement): string => name || text.slice(0, 60);
