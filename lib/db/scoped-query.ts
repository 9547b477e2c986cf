/**
 * A second way to send statements, beside pg's: a read and its workspace in one message group, in one round trip. It knows pg's
 * insides, so it must pay: with a transaction for each read, as writes have, lists answer 0.77 to 0.93 of the requests, an account
 * 0.80, a context 0.73, facts 0.61 (20,000 people, 32 connections, 2026-11-24; bench/ab/RESULTS.md).
 */
import pg from "pg";
import { parsePosition } from "#lib/core/position.ts";
import { crossed } from "./alarms.ts";
import { type Connection, type Field, Part, preparedAs } from "./group-part.ts";
import { isOutsideTransaction } from "./lease.ts";
import { POSITION } from "./replica.ts";
import type { BoundQuery } from "./statement.ts";

/**
 * Sets the workspace, and forbids writing, until the end of the message group that it is sent with. Its answer proves the group's
 * workspace: none before it, the caller's from here on. What only some reads need is added by another text: one more
 * value in every answer would slow the smallest reads.
 */
const SCOPE = `SELECT coalesce(current_setting('rapport.workspace_id', true), '') AS before, set_config('rapport.workspace_id', $1, true) AS now,
    set_config('transaction_read_only', 'on', true)`;
/** the database's log position before the statements are run */
const PLACED = `, ${POSITION} AS position`;
const ONE_PLAN = ", set_config('plan_cache_mode', 'force_generic_plan', true)";

const scopes = [
  { name: "rapport_scope", text: SCOPE },
  { name: "rapport_scope_once", text: SCOPE + ONE_PLAN },
  { name: "rapport_scope_at", text: SCOPE + PLACED },
  { name: "rapport_scope_at_once", text: SCOPE + PLACED + ONE_PLAN },
] as const;

type ScopeRow = { before: string; now: string; position?: string | null };

/** The members of pg's Query that are called by its client. */
type QueryInternals = {
  submit(connection: Connection): Error | null;
  handleRowDescription(message: { fields: readonly Field[] }): void;
  handleDataRow(message: { fields: readonly (string | null)[] }): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  callback: Callback;
};
type Callback = (error: Error | null) => void;
const Query = pg.Query as unknown as new (text: string, values: undefined, callback: Callback) => QueryInternals;

/**
 * Statements with their tenant in one message group: Postgres runs everything before a Sync as one transaction, so the
 * setting holds for these statements and for nothing after them. No BEGIN, no COMMIT, one write, one answer.
 */
class ScopedGroup extends Query {
  private readonly to: Addressee;
  private readonly scope: Part;
  private readonly parts: readonly Part[];
  /** the parts whose answers are still to come */
  private readonly due: Part[];

  constructor(to: Addressee, queries: readonly BoundQuery[], callback: Callback) {
    super(SCOPE, undefined, callback); // pg copies an object's property descriptors, which takes 1.3 µs
    const isPlannedOnce = queries.some(({ plannedOnce }) => plannedOnce);
    const { name, text } = scopes[isPlannedOnce ? (to.placed ? 3 : 1) : to.placed ? 2 : 0];
    this.to = to;
    this.scope = new Part({ name, text, values: [to.workspaceId] }, to.client);
    this.parts = queries.map((query) => new Part(query, to.client));
    this.due = [this.scope, ...this.parts];
  }

  get answers(): object[][] {
    return this.parts.map(({ rows }) => rows);
  }

  override submit(connection: Connection): Error | null {
    const other = this.due.find(({ query: { name, text } }) => (preparedAs(connection, name) ?? text) !== text);
    if (other) return new Error(`${other.query.name} names two statements`);
    connection.stream.cork();
    try {
      for (const part of this.due) part.submit(connection);
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
    return null;
  }

  override handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.due[0]?.describe(fields);
  }

  override handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.due[0]?.take(fields);
  }

  override handleCommandComplete(): void {
    this.due.shift();
  }

  override handleReadyForQuery(): void {
    this.callback(this.fault());
  }

  /** Why the rows must not be returned; null when they may be. */
  private fault(): Error | null {
    const [scoped] = this.scope.rows as ScopeRow[];
    const foreign = this.foreign(scoped);
    if (foreign) return crossed(this.to.operation, foreign);
    try {
      this.to.placed?.(parsePosition(scoped?.position));
    } catch (error) {
      return error as Error;
    }
    return this.parts.find(({ fault }) => fault)?.fault ?? null;
  }

  /** Why this cannot be the caller's answer; null when it is. */
  private foreign(scoped: ScopeRow | undefined): string | null {
    if (scoped?.before !== "") return "its connection was under a workspace already";
    if (scoped.now !== this.to.workspaceId) return "it was given under another workspace";
    return isOutsideTransaction(this.to.client) ? null : "it was given inside a transaction";
  }
}

/** The caller and the connection. */
export type Addressee = {
  client: pg.PoolClient;
  operation: string;
  /** a uuid */
  workspaceId: string;
  /** called with the database's log position before the rows are returned; when it throws, so does the query */
  placed: ((position: bigint | null) => void) | null;
};

/**
 * The rows of statements that read under a workspace, on a connection that is in no transaction. They fail together;
 * the connection can then no longer be used, because it is not known what it has prepared.
 */
export const readScoped = (to: Addressee, queries: readonly BoundQuery[]): Promise<object[][]> =>
  new Promise((resolve, reject) => {
    // Not assigned to `group.callback`: a function literal that is assigned to a property outlives every minor collection, and
    // the whole answer with it.
    const group = new ScopedGroup(to, queries, (error) => (error ? reject(error) : resolve(group.answers)));
    to.client.query(group as unknown as pg.Submittable);
  });
