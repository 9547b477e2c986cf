import type { Ctx } from "#lib/domain/implement.ts";
import { noteWell, tellChanged } from "#lib/domain/integrations/connections/service.ts";
import type { Inside } from "#lib/jobs/inside.ts";
import type { CrmContact, CrmWrite, CrmWriteResult } from "#lib/providers/crm.ts";
import type { ProviderFault } from "#lib/providers/request.ts";
import { countEntries } from "../queries/entries.ts";
import type { Case } from "../queries/people.ts";
import { type Link, linkRecords, markGone, moveRecord } from "../queries/records.ts";
import { decideRows, type Result } from "../queries/rows.ts";
import { addCounts, advanceRun, findRunToChange } from "../queries/runs.ts";
import { adopted, changesOf, type FieldHashes, hashesOf, matchOf, valuesOf, whyNotCreate } from "../rules/contacts.ts";
import type { Work } from "./work.ts";

/** What is to be done with a person. `pushed`: what the link is known to hold; `found`: the contact was linked just now. */
type Decision =
  | { case: Case; what: "skip"; message: string }
  | { case: Case; what: "write"; write: CrmWrite; pushed: FieldHashes; url: string | null; found: boolean };

/** Compares people with the CRM and writes what differs; a dry run only says so. */
export async function compare(inside: Inside, work: Work, cases: readonly Case[]): Promise<void> {
  const { crm, run } = work;
  const unlinked = cases.filter(({ id, recordId, goneAt }) => id !== null && (recordId === null || goneAt !== null));
  const contacts = await findContacts(work, unlinked);
  const decisions = cases.map((one) => decide(work, one, matchOf(one.emails, contacts)));
  if (run.kind === "dry_run") return inside((ctx) => keep(ctx, work, decisions, new Map()));

  const writes = decisions.flatMap((one) => (one.what === "write" && isWritten(one.write) ? [one.write] : []));
  const { written, fault } = writes.length > 0 ? await crm.writeContacts(writes) : { written: new Map(), fault: null };
  const second = fault ? { decisions, written, fault } : await linkExisting(work, decisions, written);
  await inside((ctx) => keep(ctx, work, second.decisions, second.written, second.fault !== null));
  if (second.fault) throw second.fault;
}

/** A new contact is always written, a linked one when something of it changed. */
const isWritten = ({ recordId, values }: CrmWrite): boolean => recordId === null || Object.keys(values).length > 0;

async function findContacts({ crm, connection }: Work, cases: readonly Case[]): Promise<CrmContact[]> {
  const emails = cases.flatMap((one) => one.emails);
  const contacts: CrmContact[] = [];
  for (let begin = 0; begin < emails.length; begin += connection.crm.batch)
    contacts.push(...(await crm.findByEmail(emails.slice(begin, begin + connection.crm.batch))));
  return contacts;
}

function decide({ connection, rules }: Work, one: Case, contact: CrmContact | null): Decision {
  const skip = (message: string): Decision => ({ case: one, what: "skip", message });
  if (one.id === null) return skip("Archived, merged or erased since the run began.");
  const values = valuesOf(one, connection.crm.fields);
  const changed = (pushed: FieldHashes) => changesOf(values, pushed, one.emails, connection.crm.groups);
  if (one.recordId !== null && one.goneAt === null) {
    const pushed = one.pushed ?? {};
    const write = { key: one.id, recordId: one.recordId, values: changed(pushed) };
    return { case: one, what: "write", write, pushed, url: one.recordUrl, found: false };
  }
  if (contact) return link(connection, one, one.id, contact);
  if (one.goneAt !== null)
    return skip(`Deleted in ${connection.displayName}. Restore it there, and the next full sync links it again.`);
  const why = whyNotCreate(one, rules);
  if (why) return skip(why);
  const write = { key: one.id, recordId: null, values };
  return { case: one, what: "write", write, pushed: {}, url: null, found: false };
}

function link({ crm }: Work["connection"], one: Case, key: string, contact: CrmContact): Decision {
  const values = valuesOf(one, crm.fields);
  const pushed = adopted(values, contact, crm.groups);
  const write = { key, recordId: contact.recordId, values: changesOf(values, pushed, one.emails, crm.groups) };
  return { case: one, what: "write", write, pushed, url: contact.url, found: true };
}

type ComparisonResult = { decisions: Decision[]; written: Map<string, CrmWriteResult>; fault: ProviderFault | null };

/**
 * The CRM has contacts that its search did not know yet: they are read, linked, and written like any other. A person who
 * is linked keeps the record they have.
 */
async function linkExisting(
  { crm, connection }: Work,
  decisions: Decision[],
  first: ReadonlyMap<string, CrmWriteResult>,
): Promise<ComparisonResult> {
  const written = new Map(first);
  const existing = new Map<string, string>();
  const isNew = new Set(
    decisions.map((one) => (one.what === "write" && one.write.recordId === null ? one.write.key : "")),
  );
  for (const [key, one] of first) if ("existing" in one && isNew.has(key)) existing.set(key, one.existing);
  if (existing.size === 0) return { decisions, written, fault: null };
  const contacts = await crm.readContacts([...new Set(existing.values())]);
  const linked = decisions.map((one) => {
    const contact = contacts.get(existing.get(one.case.id ?? "") ?? "");
    if (!contact || one.case.id === null) return one;
    return link(connection, one.case, one.case.id, contact);
  });
  const again = linked.flatMap((one) =>
    one.what === "write" && existing.has(one.write.key) && one.write.recordId !== null ? [one.write] : [],
  );
  for (const { key } of again) written.delete(key);
  const second = await crm.writeContacts(again.filter(isWritten));
  for (const [key, one] of second.written) written.set(key, one);
  return { decisions: linked, written, fault: second.fault };
}

/** Stores what came of each person. `partly`: what was not written is left for the next try. */
async function keep(
  ctx: Ctx,
  work: Work,
  decisions: readonly Decision[],
  written: ReadonlyMap<string, CrmWriteResult>,
  partly = false,
): Promise<void> {
  const { run, connection, rules } = work;
  const current = await findRunToChange(ctx.db, run.id);
  const first = decisions[0]?.case.place;
  if (!current || first === undefined || current.position > first) return; // another run of this job was faster
  const isDry = run.kind === "dry_run";
  const links: (Link & { found: boolean; absorbed: string[] })[] = [];
  const gone: string[] = [];
  const results = decisions.flatMap((one): Result[] => {
    const base = { place: one.case.place, recordId: one.case.recordId, recordUrl: one.case.recordUrl };
    const none = { ...base, fields: [], message: null, notes: 0, activities: 0, isDone: true };
    if (one.what === "skip") return [{ ...none, outcome: "skipped", message: one.message }];
    const { write, pushed, url, found } = one;
    const fields = Object.keys(write.values);
    const isDone = isDry || !rules.pushActivities;
    const kept = (outcome: Result["outcome"], recordId: string | null, recordUrl: string | null): Result[] => {
      if (!isDry && recordId !== null)
        links.push({
          entityId: write.key,
          recordId,
          recordUrl,
          pushed: { ...pushed, ...hashesOf(write.values) },
          found,
          absorbed: one.case.ids,
        });
      return [{ ...none, outcome, fields, recordId, recordUrl, isDone }];
    };
    if (!isWritten(write)) return kept("unchanged", write.recordId, url);
    if (isDry) return kept(write.recordId === null ? "created" : "updated", write.recordId, url);
    const result = written.get(write.key);
    if (!result) return partly ? [] : [{ ...none, outcome: "failed", message: unsaid(connection.displayName) }];
    if ("recordId" in result) return kept(result.created ? "created" : "updated", result.recordId, result.url);
    if ("existing" in result)
      return [
        {
          ...none,
          outcome: "failed",
          message: `Record ${result.existing} of ${connection.displayName} has this address already. Merge the two there.`,
        },
      ];
    if (result.gone) gone.push(write.key);
    const message = result.gone
      ? `Deleted in ${connection.displayName}. Restore it there, and the next full sync links it again.`
      : `${connection.displayName} refused it: ${result.problem.replace(/\.$/, "")}. Correct it here or there; the next change or a full sync tries again.`;
    return [{ ...none, outcome: "failed", message }];
  });

  for (const { entityId, recordId, absorbed } of links) await moveRecord(ctx.db, run, { entityId, recordId, absorbed });
  const linked = await linkRecords(ctx.db, run, links);
  await markGone(ctx.db, run, gone, true);
  const byPlace = new Map(decisions.map((one) => [one.case.place, one.case.id]));
  const final = results.map((result): Result => {
    const id = byPlace.get(result.place);
    const isTaken = links.some(({ entityId }) => entityId === id) && !linked.has(id ?? "");
    if (!isTaken) return result;
    const message = `Record ${result.recordId} belongs to another person here already. Merge the two people, or give the record one of their addresses only.`;
    return { ...result, outcome: "failed", message, isDone: true };
  });
  const counted = isDry && rules.pushActivities ? await withEntries(ctx, work, decisions, final) : final;
  await decideRows(ctx.db, run.id, counted);
  await addCounts(ctx.db, run.id, {
    ...countsOf(counted),
    matched: links.filter(({ found, entityId }) => found && linked.has(entityId)).length,
  });
  await advanceRun(ctx.db, run.id);
  await noteWell(ctx, connection.provider);
  tellChanged(ctx);
}

const unsaid = (crm: string): string => `${crm} did not say what happened to it. A full sync tries again.`;

const countsOf = (results: readonly Result[]) => {
  const of = (outcome: Result["outcome"]) => results.filter((one) => one.outcome === outcome).length;
  return {
    created: of("created"),
    updated: of("updated"),
    unchanged: of("unchanged"),
    skipped: of("skipped"),
    failed: of("failed"),
    findings: of("finding"),
    notes: results.reduce((sum, { notes }) => sum + notes, 0),
    activities: results.reduce((sum, { activities }) => sum + activities, 0),
  };
};

/** How many notes and activities a sync would push. */
async function withEntries(
  ctx: Ctx,
  { run }: Work,
  decisions: readonly Decision[],
  results: readonly Result[],
): Promise<Result[]> {
  const pushing = decisions.filter((one) => one.what === "write").map((one) => one.case);
  const counts = await countEntries(
    ctx.db,
    run,
    pushing.flatMap(({ ids }) => ids),
  );
  return results.map((result) => {
    const { ids = [] } = pushing.find(({ place }) => place === result.place) ?? {};
    const own = counts.filter(({ entityId }) => ids.includes(entityId));
    const sum = (of: "notes" | "activities") => own.reduce((total, one) => total + one[of], 0);
    return { ...result, notes: sum("notes"), activities: sum("activities") };
  });
}
