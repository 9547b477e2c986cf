import pg from "pg";

/** A statement as the driver sent it. */
export type SentStatement = { name: string; text: string; values: readonly unknown[] };

/** What one piece of work sent to the database, and how often it waited for an answer before it sent more. */
export type Traffic = { sent: readonly SentStatement[]; waits: number };

/** The methods of pg's connection that put a message on the wire; a simple query is BEGIN, COMMIT or a setting. */
type Wire = {
  parse(query: { name: string; text: string }): void;
  bind(config: { statement: string; values: readonly unknown[] }): void;
  query(text: string): void;
  emit(event: string, ...more: unknown[]): boolean;
};

/** What tells open pages and other processes, on its own and in a moment: on a busy machine before the answer is read. */
const ANNOUNCEMENT = "notify";

const wire = (pg as unknown as { Connection: { prototype: Wire } }).Connection.prototype;

/** Events of a connection that are answers of the database. */
const ANSWERS = new Set(["commandComplete", "readyForQuery", "errorMessage"]);

/**
 * Counts what this process sends to the database, on all its connections. To be called before the first connection is made: it
 * learns a prepared statement's text when it is prepared.
 */
export function watchDriver(): { during(work: () => Promise<unknown>): Promise<Traffic>; stop(): void } {
  const own = { parse: wire.parse, bind: wire.bind, query: wire.query, emit: wire.emit };
  const texts = new WeakMap<object, Map<string, string>>();
  const answered = new WeakSet<object>();
  let traffic: { sent: SentStatement[]; waits: number } | null = null;

  const textsOf = (connection: object): Map<string, string> => {
    const preparedTexts = texts.get(connection) ?? new Map<string, string>();
    texts.set(connection, preparedTexts);
    return preparedTexts;
  };
  /** A wait ends with the first message after an answer. */
  const sends = (connection: object, statement?: SentStatement): void => {
    if (!traffic) return;
    if (answered.delete(connection)) traffic.waits++;
    if (statement) traffic.sent.push(statement);
  };

  wire.parse = function (query) {
    textsOf(this).set(query.name, query.text);
    own.parse.call(this, query);
  };
  wire.bind = function (config) {
    const { statement: name, values } = config;
    if (name !== ANNOUNCEMENT) sends(this, { name, text: textsOf(this).get(name) ?? "", values });
    own.bind.call(this, config);
  };
  wire.query = function (text) {
    sends(this);
    own.query.call(this, text);
  };
  wire.emit = function (event, ...more) {
    if (ANSWERS.has(event)) answered.add(this);
    return own.emit.call(this, event, ...more);
  };

  return {
    async during(work) {
      const mine = { sent: [] as SentStatement[], waits: 0 };
      traffic = mine;
      try {
        await work();
      } finally {
        traffic = null;
      }
      return mine;
    },
    stop: () => void Object.assign(wire, own),
  };
}
