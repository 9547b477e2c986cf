/** Looks through every row of every tenant table for marks: whose they are, and whether they may be there. */
import { inspect } from "../database.ts";
import { marksIn } from "./ledger.ts";
import type { Play } from "./play.ts";

/** Operations that write in transactions of their own, so a failure after the first leaves it in place. */
const inParts = new Set([
  "createImport",
  "sendTestDelivery",
  "replayInboundDelivery",
  "connectIntegration",
  "registerAgain",
]);
/** Kept answers hold refusals too. */
const ofRefusals = new Set(["idempotency", "torture_marks"]);
/** Operations whose texts are removed by nothing else in the run. */
const lasting = new Set(["saveFact", "saveNote"]);

export async function checkRows({ tenants, effects, verdict }: Play): Promise<void> {
  const seen = new Set<number>();
  for (const table of await tenantTables()) {
    for (const { stage, letter } of tenants) {
      const rows = await inspect<{ row: string }>(
        `SELECT t::text AS row FROM "${table}" AS t WHERE workspace_id = $1 AND t::text ~ 'mark[AB]n'`,
        [stage.id],
      );
      verdict.count("marked rows", rows.length);
      for (const mark of rows.flatMap(({ row }) => marksIn(row))) {
        if (mark.letter !== letter)
          verdict.wrong("crossing", `a row of ${letter} in ${table} holds a text of ${mark.letter}`);
        const kept = effects.get(mark.number);
        if (kept?.effect === "nothing" && !ofRefusals.has(table) && !inParts.has(kept.what))
          verdict.wrong("half done", `${kept.what} failed, and a row in ${table} holds its text`);
        seen.add(mark.number);
      }
    }
  }
  for (const [number, { effect, what }] of effects)
    if (effect === "all" && lasting.has(what) && !seen.has(number))
      verdict.wrong("half done", `${what} succeeded, and no row holds its text`);
}

async function tenantTables(): Promise<string[]> {
  const tables = await inspect<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id' ORDER BY 1",
  );
  return tables.map(({ name }) => name);
}
