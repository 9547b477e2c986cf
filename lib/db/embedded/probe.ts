import pg from "pg";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { DIRECT_OPTIONS } from "../pooler.ts";

const OLDEST = 15;

/** Host, port and database of a connection URL, without the password. */
export function describeUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return "the database";
  const host = parsed.hostname || parsed.searchParams.get("host") || "localhost";
  return `${host}:${parsed.port || 5432}${parsed.pathname === "/" ? "" : parsed.pathname}`;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name cannot be looked up now",
  ETIMEDOUT: "no answer in time",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ECONNRESET: "the server closed the connection",
};

/** Why a connection failed, in a few words without a secret. */
export function explainConnectFailure(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if (errors?.length) return explainConnectFailure(errors[0]);
  return reasons[code ?? ""] ?? (message || code || "unknown reason").split("\n")[0] ?? "";
}

/**
 * Connects once to a database that someone else runs; refuses one that cannot be reached or is not suitable, in one
 * line.
 */
export async function requireUsableDatabase(url: string, variable = "DATABASE_URL"): Promise<void> {
  const place = describeUrl(url);
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 30_000,
    options: DIRECT_OPTIONS, // which a pooler refuses
    application_name: "rapport-start",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; encoding: string }>(
      "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
    );
    const { version, encoding } = rows[0] ?? { version: "0", encoding: "unknown" };
    const major = Math.floor(Number(version) / 10_000);
    if (major < OLDEST) {
      throw new OperatorError(`${variable}: ${place} runs Postgres ${major}; Rapport needs ${OLDEST} or newer.`);
    }
    if (encoding !== "UTF8") {
      throw new OperatorError(`${variable}: the database at ${place} is encoded in ${encoding}; Rapport needs UTF8.`);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if (/startup parameter.*(options|statement_timeout)/.test((error as Error).message))
      throw new OperatorError(
        `${variable}: a connection pooler answers at ${place}. Name the database itself in DATABASE_DIRECT_URL.`,
        { cause: error },
      );
    throw new OperatorError(`${variable}: cannot connect to ${place}: ${explainConnectFailure(error)}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
