import pg from "pg";
import type { Statement } from "#lib/core/context.ts";

/** Names the tenant, and forbids writing, until the message group it is sent with ends. */
const SCOPE = {
  name: "rapport_scope",
  text: "SELECT set_config('rapport.workspace_id', $1, true), set_config('transaction_read_only', 'on', true)",
};

type Message = { fields: (string | null)[] };

/** What pg's own Query calls on the connection, as far as it is used here. */
type Connection = {
  parsedStatements: Record<string, string | undefined>;
  bind(config: { statement: string; values: readonly string[] }): void;
  execute(config: object): void;
};

/** The members of pg's Query that its types leave out. */
type QueryInternals = {
  prepare(connection: Connection): void;
  handleDataRow(message: Message): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  callback: (error: Error | null, result: { rows: object[] }) => void;
};
const Query = pg.Query as unknown as new (config: object) => QueryInternals;

/**
 * A statement with its tenant in one message group: Postgres runs what stands before a Sync as one transaction, so the
 * setting holds for this statement and for nothing after it. No BEGIN, no COMMIT, one write, one answer.
 */
class ScopedQuery extends Query {
  private scoped = false;
  private readonly workspaceId: string;

  constructor(workspaceId: string, config: object) {
    super(config);
    this.workspaceId = workspaceId;
  }

  override prepare(connection: Connection): void {
    connection.bind({ statement: SCOPE.name, values: [this.workspaceId] });
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: Message): void {
    if (this.scoped) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.scoped) super.handleCommandComplete(message, connection);
    this.scoped = true;
  }
}

/** Rows of one statement that reads under a workspace, on a connection that is in no transaction. */
export async function readScoped<Row extends object>(
  client: pg.PoolClient,
  workspaceId: string,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { connection } = client as unknown as { connection: Connection };
  if (!connection.parsedStatements[SCOPE.name]) await client.query({ ...SCOPE, values: [""] });
  const query = new ScopedQuery(workspaceId, { ...(name === "" ? {} : { name }), text, values, queryMode: "extended" });
  return new Promise((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve(result.rows as Row[]));
    client.query(query as unknown as pg.Submittable);
  });
}
