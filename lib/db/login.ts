import pg from "pg";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { type Abilities, abilitiesOf, ofOneMachine } from "./distributed/abilities.ts";

export type Login = {
  role: string;
  /** ignores row level security */
  bypasses: boolean;
  /** may become `rapport_app`, which owns nothing and obeys it; connections to other machines of a database cannot */
  becomes: boolean;
  /** what the database can do */
  abilities: Abilities;
  timezone: string;
  /** sessions use UTC */
  isUtc: boolean;
};

/** The role of connections whose login may take it: it uses the tables, and changes none of them. */
export const APP_ROLE = "rapport_app";

/** Whether the login of a connection ignores row level security, and whether it may become `rapport_app`. */
export const RIGHTS = `rolsuper OR rolbypassrls AS bypasses, EXISTS (SELECT FROM pg_roles app WHERE app.rolname = '${APP_ROLE}'
  AND pg_has_role(current_user, app.oid, CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END)) AS becomes`;

/** The role that a connection to this database logs in as, and what matters about the database. */
export async function loginOf(url: string, connectMs = 10_000): Promise<Login> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  client.on("error", () => undefined); // the running query fails too
  await client.connect();
  try {
    const { rows } = await client.query<Omit<Login, "abilities">>(
      `SELECT rolname AS role, ${RIGHTS}, current_setting('TimeZone') AS timezone,
         extract(timezone FROM timestamptz '2026-01-01') = 0 AND extract(timezone FROM timestamptz '2026-07-01') = 0 AS "isUtc"
       FROM pg_roles WHERE rolname = current_user`,
    );
    const [login = { role: "", bypasses: true, becomes: false, timezone: "", isUtc: false }] = rows;
    const abilities = await abilitiesOf(client);
    return { ...login, becomes: login.becomes && abilities === ofOneMachine, abilities };
  } finally {
    await client.end();
  }
}

/**
 * Refuses a login that the app cannot use without connection options: one that ignores row level security would see
 * every tenant, and another time zone would shift every time.
 */
export function requirePoolable(login: Login): Login {
  const { role, bypasses, isUtc, timezone } = login;
  if (bypasses) throw bypassing(role);
  if (!isUtc)
    throw new OperatorError(
      `DATABASE_URL: connections of the pooler are in the time zone ${timezone}. The settings of ${role} are in the database by now; make the pooler open its connections again (RECONNECT), then start again.`,
    );
  return login;
}

const bypassing = (role: string) =>
  new OperatorError(
    `DATABASE_URL: ${role} ignores row level security, and through a pooler its connections cannot become another role. Log in as an ordinary role that owns the tables.`,
  );

/** Refuses a role that ignores row level security, before any connection is made with it. */
export async function requireOrdinary(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    "SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = $1",
    [role],
  );
  if (rows[0]?.bypasses !== false) throw bypassing(role);
}

/**
 * Stores settings for a login in this database, for connections that take no options. Throws when the direct login may
 * not do that.
 */
export async function settleLogin(
  client: pg.Client,
  role: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await client.query<{ database: string }>("SELECT quote_ident(current_database()) AS database");
  const login = `${pg.escapeIdentifier(role)} IN DATABASE ${rows[0]?.database}`;
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER ROLE ${login} SET ${name} TO ${pg.escapeLiteral(value)}`);
}
