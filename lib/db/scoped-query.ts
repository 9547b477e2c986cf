import pg from "pg";
import type { Statement } from "#lib/core/context.ts";

/** Names the tenant, and forbids writing, until the message group it is sent with ends. */
const SCOPE = {
  name: "rapport_scope",
  text: "SELECT set_config('rapport.workspace_id', $1, true), set_config('transaction_read_only', 'on', true)",
};

/** What pg's own Query calls on the connection, as far as it is used here. */
type Connection = {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  bind(config: { statement: string; values: readonly string[] }): void;
  execute(config: object): void;
  sync(): void;
};

/** The members of pg's Query that its types leave out. */
type QueryInternals = {
  name: string | undefined;
  text: string;
  _result: { _types: unknown; rows: object[] };
  _canceledDueToError: false | Error;
  submit(connection: Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  callback: (error: Error | null) => void;
};
const Query = pg.Query as unknown as new (config: object) => QueryInternals;

/**
 * Statements with their tenant in one message group: Postgres runs what stands before a Sync as one transaction, so the
 * setting holds for these statements and for nothing after them. No BEGIN, no COMMIT, one write, one answer.
 */
class ScopedGroup extends Query {
  /** whose answer comes: -1 is the scope's */
  private place = -1;
  private readonly workspaceId: string;
  private readonly parts: readonly QueryInternals[];

  constructor(workspaceId: string, parts: readonly QueryInternals[]) {
    super({ text: SCOPE.text });
    this.workspaceId = workspaceId;
    this.parts = parts;
  }

  override submit(connection: Connection): Error | null {
    const unended: Connection = Object.assign(Object.create(connection), { sync: () => undefined });
    connection.stream.cork();
    try {
      connection.bind({ statement: SCOPE.name, values: [this.workspaceId] });
      connection.execute({});
      for (const part of this.parts) {
        const error = part.submit(unended);
        if (error) part._canceledDueToError = error;
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  override handleRowDescription(message: unknown): void {
    this.parts[this.place]?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.parts[this.place]?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    this.parts[this.place]?.handleCommandComplete(message, connection);
    this.place++;
  }

  override handleReadyForQuery({ parsedStatements, submittedNamedStatements }: Connection): void {
    for (const { name, text } of this.parts) {
      if (!name) continue;
      parsedStatements[name] = text;
      delete submittedNamedStatements[name];
    }
    this.callback(this.parts.map((part) => part._canceledDueToError).find((error) => error !== false) ?? null);
  }
}

export type Wanted = { statement: Statement; values: readonly unknown[] };

/**
 * The rows of statements that read under a workspace, on a connection that is in no transaction. They fail together; the
 * connection is then of no more use, because what it has prepared is not known.
 */
export async function readScoped(
  client: pg.PoolClient,
  workspaceId: string,
  wanted: readonly Wanted[],
): Promise<object[][]> {
  const { connection, _types } = client as unknown as { connection: Connection; _types: unknown };
  if (!connection.parsedStatements[SCOPE.name]) await client.query({ ...SCOPE, values: [""] });
  const parts = wanted.map(({ statement: { name, text }, values }) => {
    const part = new Query({ ...(name === "" ? {} : { name }), text, values, queryMode: "extended" });
    part._result._types = _types;
    return part;
  });
  const group = new ScopedGroup(workspaceId, parts);
  await new Promise<void>((resolve, reject) => {
    group.callback = (error) => (error ? reject(error) : resolve());
    client.query(group as unknown as pg.Submittable);
  });
  return parts.map(({ _result }) => _result.rows);
}
