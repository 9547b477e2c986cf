import { noteWell, tellChanged } from "#lib/domain/integrations/connections/service.ts";
import type { Inside } from "#lib/jobs/inside.ts";
import type { Case } from "../queries/people.ts";
import { forgetField, linkRecords, markGone } from "../queries/records.ts";
import { decideRows, type Result } from "../queries/rows.ts";
import { addCounts, advanceRun, findRunToChange } from "../queries/runs.ts";
import { hashesOf } from "../rules/contacts.ts";
import { findingsOf } from "../rules/findings.ts";
import type { Work } from "./work.ts";

/** Reads linked records in the CRM and says what has come apart: deleted, merged, another address, another stage. */
export async function checkRecords(
  inside: Inside,
  { run, connection, crm }: Work,
  cases: readonly Case[],
): Promise<void> {
  const linkedCases = cases.filter(({ id, recordId }) => id !== null && recordId !== null);
  const contacts = await crm.readContacts(linkedCases.map(({ recordId }) => recordId as string));
  await inside(async (ctx) => {
    const current = await findRunToChange(ctx.db, run.id);
    const first = cases[0]?.place;
    if (!current || first === undefined || current.position > first) return; // another run of this job was faster
    const results: Result[] = [];
    for (const one of cases) {
      const { place, id, recordId, recordUrl, pushed, stage, emails } = one;
      const base = { place, recordId, recordUrl, fields: [], notes: 0, activities: 0, isDone: true };
      if (id === null || recordId === null) {
        results.push({ ...base, outcome: "skipped", message: "Archived, merged or erased here." });
        continue;
      }
      const contact = contacts.get(recordId);
      await markGone(ctx.db, run, [id], contact === undefined);
      // A stage that changed here since is not a finding: the next sync pushes it.
      const isCurrent = pushed?.stage !== undefined && pushed.stage === hashesOf({ stage }).stage;
      const findings = findingsOf(
        connection.displayName,
        { recordId, emails, stage: isCurrent ? stage : null },
        contact,
      );
      if (contact && contact.recordId !== recordId) {
        const link = { entityId: id, recordId: contact.recordId, recordUrl: contact.url, pushed: {} };
        const linked = await linkRecords(ctx.db, run, [link]);
        if (!linked.has(id)) findings.push("That record belongs to another person here. Merge the two people.");
      }
      if (contact && isCurrent && contact.values.stage !== stage) await forgetField(ctx.db, run, id, "stage");
      const message = findings.length > 0 ? findings.join(" ") : null;
      results.push({ ...base, outcome: message ? "finding" : "unchanged", message });
    }
    await decideRows(ctx.db, run.id, results);
    const of = (outcome: Result["outcome"]) => results.filter((one) => one.outcome === outcome).length;
    const counts = { findings: of("finding"), unchanged: of("unchanged"), skipped: of("skipped") };
    await addCounts(ctx.db, run.id, counts);
    await advanceRun(ctx.db, run.id);
    await noteWell(ctx, connection.provider);
    tellChanged(ctx);
  });
}
