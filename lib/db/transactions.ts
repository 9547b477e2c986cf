import type pg from "pg";

const IDENTITY = `SELECT system_identifier::text AS here, obj_description(ours, 'pg_proc') AS known
  FROM pg_control_system(), to_regprocedure('rapport_transaction()') AS ours WHERE ours IS NOT NULL`;

/** Their rows are hidden from their own owner, except here. */
const TABLES = ["observations", "changes", "audit_log"];

const LATEST = `SELECT greatest(${TABLES.map((table) => `(SELECT coalesce(max(written_in), 0) FROM ${table})`).join(", ")}) AS latest`;

/**
 * The feed of changes and the chain of the audit log are ordered by the numbers of transactions, which begin again where a dump of the database is restored.
 * There the two functions that say them add how far they had come. The cluster they are right for is kept in a comment.
 */
export async function continueTransactions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ here: string; known: string | null }>(IDENTITY);
  const [identity] = rows;
  if (!identity || identity.known === identity.here) return;
  const { here, known } = identity;
  await client.query("BEGIN");
  try {
    if (known !== null) {
      for (const table of TABLES) await client.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
      const { rows: found } = await client.query<{ latest: number }>(LATEST);
      for (const table of TABLES) await client.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
      const before = Number(found[0]?.latest ?? 0) + 1;
      for (const [name, number] of [
        ["rapport_transaction", "pg_current_xact_id()"],
        ["rapport_settled", "pg_snapshot_xmin(pg_current_snapshot())"],
      ])
        await client.query(
          `CREATE OR REPLACE FUNCTION "${name}"() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT ${number}::text::bigint + ${before} $$`,
        );
    }
    await client.query(`COMMENT ON FUNCTION "rapport_transaction"() IS '${here}'`);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
