import pg from "pg";
import { trustOperators } from "../trusted-operators.ts";
import { SUPERUSER } from "./cluster.ts";
import type { State } from "./state.ts";

/** The app's role and its database: it owns what it creates and obeys row level security. */
const NAME = "rapport";

const address = (user: string, password: string, port: number, database: string) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

export const userUrl = (state: State, port: number): string => address(NAME, state.password, port, NAME);

export const superuserUrl = (state: State, port: number): string =>
  address(SUPERUSER, state.superuserPassword, port, "postgres");

/** True when the error is a refused password. */
export const isWrongPassword = (error: unknown): boolean => (error as { code?: string }).code === "28P01";

/** Checks that the server accepts our superuser, and creates the app's role and database where they are missing. */
export async function ensureRole(state: State, port: number, { newPassword = false } = {}): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(state, port), connectionTimeoutMillis: 15_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = '${NAME}') AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = '${NAME}') AS database`,
    );
    const options = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD '${state.password}'`;
    if (!rows[0]?.role) await client.query(`CREATE ROLE ${NAME} ${options}`);
    else if (newPassword) await client.query(`ALTER ROLE ${NAME} ${options}`);
    // Of a database that an earlier release made, too.
    const database = rows[0]?.database ? NAME : "template1";
    await trustOperators(address(SUPERUSER, state.superuserPassword, port, database));
    if (!rows[0]?.database) await client.query(`CREATE DATABASE ${NAME} OWNER ${NAME}`);
  } finally {
    await client.end();
  }
}
