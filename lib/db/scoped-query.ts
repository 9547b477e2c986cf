/**
 * A second way to send statements, beside pg's: a read and its workspace in one message group, in one round trip. It knows pg's
 * insides, so it must pay: with a transaction for each read, as writes have, lists answer 0.77 to 0.93 of the requests, an account
 * 0.80, a context 0.73, facts 0.61 (20,000 people, 32 connections, 2026-11-24; decision 0111).
 */
import pg from "pg";
import utils from "pg/lib/utils.js";
import { parsePosition } from "#lib/core/position.ts";
import { together } from "#lib/core/together.ts";
import { crossed } from "./alarms.ts";
import { isOutsideTransaction } from "./lease.ts";
import { POSITION } from "./replica.ts";
import type { BoundQuery } from "./statement.ts";

/**
 * Sets the workspace, and forbids writing, until the end of the message group that it is sent with. Its answer proves
 * the group's workspace: none before it, the caller's from here on.
 */
const SCOPE = {
  name: "rapport_scope",
  text: `SELECT coalesce(current_setting('rapport.workspace_id', true), ''), set_config('rapport.workspace_id', $1, true),
    set_config('transaction_read_only', 'on', true)`,
};

/** As `SCOPE`; it also returns the database's log position before the statements are run. */
const SCOPE_AT = { name: "rapport_scope_at", text: `${SCOPE.text}, ${POSITION}` };

/** As the two, for statements that are planned once. */
const PLANNED = "set_config('plan_cache_mode', 'force_generic_plan', true)";
const SCOPE_ONCE = { name: "rapport_scope_once", text: `${SCOPE.text}, ${PLANNED}` };
const SCOPE_AT_ONCE = { name: "rapport_scope_at_once", text: `${SCOPE_AT.text}, ${PLANNED}` };

/** The part of pg's connection that is used here. */
type Connection = {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(config: { name: string; text: string }): void;
  bind(config: { statement: string; values: readonly unknown[] }): void;
  describe(config: { type: "P"; name: string }): void;
  execute(config: object): void;
  sync(): void;
};

type Types = { getTypeParser(oid: number, format: "text"): (text: string) => unknown };

/** How a statement's rows are read: its columns with their parsers, and an empty row with all columns. */
type Shape = { columns: readonly { name: string; parse(text: string): unknown }[]; blank: object };

/** The shapes of the named statements of a connection: a statement is described once, because its columns cannot change. */
const shapes = new WeakMap<Connection, Map<string, Shape>>();

function shapesOf(connection: Connection): Map<string, Shape> {
  const known = shapes.get(connection) ?? new Map<string, Shape>();
  shapes.set(connection, known);
  return known;
}

/** One statement of a group, and its answer. */
class Part {
  readonly rows: object[] = [];
  readonly name: string;
  readonly text: string;
  fault: Error | undefined;
  private readonly values: readonly unknown[];
  private readonly types: Types;
  private readonly known: Map<string, Shape>;
  private shape: Shape | undefined;

  constructor({ name, text, values }: BoundQuery, types: Types, known: Map<string, Shape>) {
    this.name = name;
    this.text = text;
    this.values = values.map(utils.prepareValue);
    this.types = types;
    this.known = known;
  }

  /**
   * The text that the connection has prepared under this name, or will have once the statements already sent are
   * answered.
   */
  private parsedOn({ parsedStatements, submittedNamedStatements }: Connection): string | undefined {
    return this.name === "" ? undefined : (parsedStatements[this.name] ?? submittedNamedStatements[this.name]);
  }

  /** Why it cannot be sent; null when it can. */
  refusal(connection: Connection): Error | null {
    const parsed = this.parsedOn(connection);
    return parsed === undefined || parsed === this.text ? null : new Error(`${this.name} names two statements`);
  }

  submit(connection: Connection): void {
    const { name, text, values } = this;
    if (this.parsedOn(connection) === undefined) {
      connection.parse({ name, text });
      if (name !== "") connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values });
    this.shape = name === "" ? undefined : this.known.get(name);
    if (!this.shape) connection.describe({ type: "P", name: "" });
    connection.execute({});
  }

  describe(fields: readonly { name: string; dataTypeID: number }[]): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.types.getTypeParser(dataTypeID, "text"),
    }));
    this.shape = { columns, blank: Object.fromEntries(columns.map(({ name }) => [name, null])) };
    if (this.name !== "") this.known.set(this.name, this.shape);
  }

  take(fields: readonly (string | null)[]): void {
    const { columns, blank } = this.shape as Shape;
    const row: Record<string, unknown> = { ...blank };
    try {
      for (const [place, { name, parse }] of columns.entries()) {
        const text = fields[place] ?? null;
        if (text !== null) row[name] = parse(text);
      }
      this.rows.push(row);
    } catch (error) {
      this.fault ??= error as Error; // thrown here it would leave the rest of the answer unread
    }
  }
}

/** The members of pg's Query that are called by its client. */
type QueryInternals = {
  submit(connection: Connection): Error | null;
  handleRowDescription(message: { fields: readonly { name: string; dataTypeID: number }[] }): void;
  handleDataRow(message: { fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  callback: (error: Error | null) => void;
};
const Query = pg.Query as unknown as new (config: object) => QueryInternals;

/** A statement whose answer no one reads. */
class Utility {
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  submit(connection: Connection): void {
    connection.parse({ name: "", text: this.text });
    connection.bind({ statement: "", values: [] });
    connection.execute({});
  }
}

/** The statement that sets the workspace, and its answer. */
class Scope {
  fields: readonly (string | null)[] = [];
  private readonly statement: string;
  private readonly workspaceId: string;

  constructor(statement: string, workspaceId: string) {
    this.statement = statement;
    this.workspaceId = workspaceId;
  }

  submit(connection: Connection): void {
    connection.bind({ statement: this.statement, values: [this.workspaceId] });
    connection.execute({});
  }
}

/**
 * Statements with their tenant in one message group: Postgres runs everything before a Sync as one transaction, so the
 * setting holds for these statements and for nothing after them. No BEGIN, no COMMIT, one write, one answer. A database
 * of several machines passes on to them only settings made with SET LOCAL between BEGIN and COMMIT.
 */
class ScopedGroup extends Query {
  /** the statement whose answer comes next */
  private place = 0;
  private readonly to: Addressee;
  private readonly parts: readonly Part[];
  private readonly scope: Scope;
  private readonly sent: readonly (Part | Scope | Utility)[];

  constructor(to: Addressee, parts: readonly Part[], scope: string) {
    super({ text: SCOPE.text });
    this.to = to;
    this.parts = parts;
    this.scope = new Scope(scope, to.workspaceId);
    this.sent = to.isDistributed
      ? [
          new Utility("BEGIN READ ONLY"),
          this.scope,
          new Utility(`SET LOCAL rapport.workspace_id = '${to.workspaceId}'`),
          ...parts,
          new Utility("COMMIT"),
        ]
      : [this.scope, ...parts];
  }

  /** Why this cannot be the caller's answer; null when it is. */
  private get foreign(): string | null {
    const [before, now] = this.scope.fields;
    if (before !== "") return "its connection was under a workspace already";
    if (now !== this.to.workspaceId) return "it was given under another workspace";
    return isOutsideTransaction(this.to.client) ? null : "it was given inside a transaction";
  }

  override submit(connection: Connection): Error | null {
    const refusal = this.parts.map((part) => part.refusal(connection)).find((error) => error !== null);
    if (refusal) return refusal;
    connection.stream.cork();
    try {
      for (const each of this.sent) each.submit(connection);
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
    return null;
  }

  override handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const asked = this.sent[this.place];
    if (asked instanceof Part) asked.describe(fields);
  }

  override handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const asked = this.sent[this.place];
    if (asked instanceof Part) asked.take(fields);
    else if (asked instanceof Scope) asked.fields = fields;
  }

  override handleCommandComplete(): void {
    this.place++;
  }

  override handleReadyForQuery({ parsedStatements, submittedNamedStatements }: Connection): void {
    for (const { name, text } of this.parts) {
      if (name === "") continue;
      parsedStatements[name] = text;
      delete submittedNamedStatements[name];
    }
    this.callback(this.fault());
  }

  /** Why the rows must not be returned; null when they may be. */
  private fault(): Error | null {
    const { foreign } = this;
    if (foreign) return crossed(this.to.operation, foreign);
    try {
      this.to.placed?.(parsePosition(this.scope.fields[3]));
    } catch (error) {
      return error as Error;
    }
    return this.parts.find(({ fault }) => fault)?.fault ?? null;
  }
}

/** A database of several machines has to know the workspace to plan, so it cannot plan for all values. */
function scopeFor({ placed, isDistributed }: Addressee, queries: readonly BoundQuery[]) {
  const once = !isDistributed && queries.some(({ plannedOnce }) => plannedOnce);
  if (placed) return once ? SCOPE_AT_ONCE : SCOPE_AT;
  return once ? SCOPE_ONCE : SCOPE;
}

const isPrepared = ({ parsedStatements, submittedNamedStatements }: Connection, name: string): boolean =>
  (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;

/** The caller and the connection. */
export type Addressee = {
  client: pg.PoolClient;
  operation: string;
  /** a uuid */
  workspaceId: string;
  /** the tenants are spread over several machines */
  isDistributed: boolean;
  /** called with the database's log position before the rows are returned; when it throws, so does the query */
  placed: ((position: bigint | null) => void) | null;
};

/**
 * The rows of statements that read under a workspace, on a connection that is in no transaction. They fail together;
 * the connection can then no longer be used, because it is not known what it has prepared.
 */
export function readScoped(to: Addressee, queries: readonly BoundQuery[]): Promise<object[][]> {
  let prepared: Promise<unknown> | null = null;
  const answered = new Promise<object[][]>((resolve, reject) => {
    const { connection, _types: types } = to.client as unknown as { connection: Connection; _types: Types };
    const parts = queries.map((each) => new Part(each, types, shapesOf(connection)));
    const scope = scopeFor(to, queries);
    const group = new ScopedGroup(to, parts, scope.name);
    group.callback = (error) => (error ? reject(error) : resolve(parts.map(({ rows }) => rows)));
    // Sent at once, after the preparation if that is needed: the caller's next statements must come after it.
    if (!isPrepared(connection, scope.name)) prepared = to.client.query({ ...scope, values: [""] });
    to.client.query(group as unknown as pg.Submittable);
  });
  return prepared === null ? answered : together([answered, prepared]).then(([rows]) => rows);
}
