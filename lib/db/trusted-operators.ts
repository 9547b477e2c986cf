/**
 * Under row level security Postgres uses an index only for operators that it trusts (leakproof), and by itself it does not trust these:
 * LIKE, the equality of enums and the overlap of arrays. They reveal nothing about a row but whether it matches, and only Rapport's own
 * statements run here. Without them a page of a list reads its whole workspace.
 */
import { connected } from "./connected.ts";

const FUNCTIONS = ["textlike(text, text)", "enum_eq(anyenum, anyenum)", "arrayoverlap(anyarray, anyarray)"];

const trusting = (name: string) => `ALTER FUNCTION pg_catalog.${name} LEAKPROOF`;

/** Trusts them in a database, which only a superuser may; databases made from it have it. */
export const trustOperators = (superuserUrl: string): Promise<void> =>
  connected({ connectionString: superuserUrl }, async (client) => {
    for (const name of FUNCTIONS) await client.query(trusting(name));
  });

/** What a superuser has yet to run in a database, for its lists to be fast; empty when nothing. */
export const untrustedOperators = (url: string): Promise<string[]> =>
  connected({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM unnest($1::text[]) AS name JOIN pg_proc p ON p.oid = to_regprocedure('pg_catalog.' || name)
       WHERE NOT p.proleakproof`,
      [FUNCTIONS],
    );
    return rows.map(({ name }) => `${trusting(name)};`);
  });
