import type pg from "pg";
import utils from "pg/lib/utils.js";
import type { BoundQuery } from "./statement.ts";

/** The part of pg's connection that is used here. */
export type Connection = {
  stream: { cork(): void; uncork(): void };
  /** the texts of named statements: those that are prepared, and those that pg's own queries have sent to be */
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(config: { name: string; text: string }): void;
  bind(config: { statement: string; values: readonly unknown[] }): void;
  describe(config: { type: "P"; name: string }): void;
  execute(config: object): void;
  sync(): void;
};

export type Field = { name: string; dataTypeID: number };

/** How rows are read: the columns with their parsers, and an empty row with all columns. pg's own Result is not faster. */
type Reading = { columns: readonly Column[]; blank: object };

type Column = { name: string; parse(text: string): unknown };

/** How rows of a connection's named statements are read: each is described once, because its columns cannot change. */
const readings = new WeakMap<pg.PoolClient, Map<string, Reading>>();

function readingsOf(client: pg.PoolClient): Map<string, Reading> {
  const readingByName = readings.get(client) ?? new Map<string, Reading>();
  readings.set(client, readingByName);
  return readingByName;
}

/** The text that the connection has prepared under a name, or will have once what was sent is answered. */
export const preparedAs = (
  { parsedStatements, submittedNamedStatements }: Connection,
  name: string,
): string | undefined => (name === "" ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]));

/** One statement of a message group, and its answer. */
export class Part {
  readonly rows: object[] = [];
  fault: Error | undefined;
  readonly query: BoundQuery;
  private readonly client: pg.PoolClient;
  private readonly values: readonly unknown[];
  private reading: Reading | undefined;

  constructor(query: BoundQuery, client: pg.PoolClient) {
    this.query = query;
    this.values = query.values.map(utils.prepareValue);
    this.client = client;
  }

  submit(connection: Connection): void {
    const { values } = this;
    const { name, text } = this.query;
    if (preparedAs(connection, name) === undefined) {
      connection.parse({ name, text });
      // A connection on which it fails is not used again.
      if (name !== "") connection.parsedStatements[name] = text;
    }
    connection.bind({ statement: name, values });
    this.reading = readingsOf(this.client).get(name);
    if (!this.reading) connection.describe({ type: "P", name: "" });
    connection.execute({});
  }

  describe(fields: readonly Field[]): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.client.getTypeParser(dataTypeID, "text"),
    }));
    this.reading = { columns, blank: Object.fromEntries(columns.map(({ name }) => [name, null])) };
    if (this.query.name !== "") readingsOf(this.client).set(this.query.name, this.reading);
  }

  take(values: readonly (string | null)[]): void {
    const { columns, blank } = this.reading as Reading;
    const row: Record<string, unknown> = { ...blank };
    try {
      for (let place = 0; place < columns.length; place++) {
        const { name, parse } = columns[place] as Column;
        const text = values[place] ?? null;
        if (text !== null) row[name] = parse(text);
      }
      this.rows.push(row);
    } catch (error) {
      this.fault ??= error as Error; // thrown here it would leave the rest of the answer unread
    }
  }
}
