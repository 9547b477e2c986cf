import type { Ctx } from "#lib/domain/implement.ts";
import { tellChanged } from "#lib/domain/integrations/connections/service.ts";
import type { Inside } from "#lib/jobs/inside.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { beginPush, endPush, findNextEntry, type NextEntry } from "../queries/entries.ts";
import type { Case } from "../queries/people.ts";
import { noteRow } from "../queries/rows.ts";
import { addCounts, findRunToChange } from "../queries/runs.ts";
import { entryOf } from "../rules/entries.ts";
import type { Work } from "./work.ts";

/** The next note or activity of a person; it counts as begun once this transaction commits. */
export async function nextEntry(ctx: Ctx, { run, rules }: Work, one: Case): Promise<NextEntry | null> {
  if (!rules.pushActivities || one.id === null || one.recordId === null || one.goneAt !== null) return null;
  const entry = await findNextEntry(ctx.db, run, one.ids);
  if (entry && !entry.begun) await beginPush(ctx.db, run, entry);
  return entry;
}

/**
 * Pushes a note or activity once. One that was begun before may have arrived without an answer, so it is looked for in
 * the CRM first.
 */
export async function pushEntry(inside: Inside, { run, crm }: Work, one: Case, next: NextEntry): Promise<void> {
  const entry = entryOf(next);
  const recordId = one.recordId as string;
  const result = await (async () => {
    try {
      const existingEntry = next.begun ? await crm.findEntry(recordId, entry) : null;
      return { remoteId: existingEntry ?? (await crm.addEntry(recordId, entry)) };
    } catch (error) {
      if (!(error instanceof ProviderFault) || error.trouble !== "rejected") throw error;
      return { problem: error.message };
    }
  })();
  await inside(async (ctx) => {
    const current = await findRunToChange(ctx.db, run.id);
    if (!current) return;
    await endPush(ctx.db, run, next.id, result);
    tellChanged(ctx);
    if ("problem" in result) {
      const what = entry.kind === "note" ? "A note" : "An activity";
      const message = `${what} was not taken: ${result.problem} A full sync tries again.`.slice(0, 500);
      return noteRow(ctx.db, run.id, one.place, { message });
    }
    const counts = entry.kind === "note" ? { notes: 1 } : { activities: 1 };
    await noteRow(ctx.db, run.id, one.place, counts);
    await addCounts(ctx.db, run.id, counts);
  });
}
