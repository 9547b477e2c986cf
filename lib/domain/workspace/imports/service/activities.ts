import { hash } from "node:crypto";
import { isUuid } from "#lib/core/ids.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { recordTraced, type Terms } from "#lib/domain/crm/people/service.ts";
import { namesIn, type Report } from "#lib/domain/crm/recording/service.ts";
import { findExternalIds } from "#lib/domain/crm/timeline/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { companyDomain, type Identifier, normaliseEmail, typeNamedBy } from "#lib/domain/records/entities/service.ts";
import type { GivenActivity } from "../rules/activity-rows.ts";
import type { RowResult } from "../rules/progress.ts";
import { importReports } from "./one-report-each.ts";
import { type ImportedBatch, type PreparedBatch, SOURCE, skipped } from "./prepare.ts";

type Activities = PreparedBatch & { kind: "activity" };
type ActivityRow = Activities["rows"][number];
type NewActivity = ActivityRow & { given: { named: Identifier } };

/** Says that a note was saved, which only saving it says. */
const NOTE = "note.saved";

/** Rows that are activities, each with a person or company. What a call of capture would do happens for each. */
export async function importActivities(
  ctx: Ctx,
  prepared: Activities,
  terms: Terms,
  locksTaken: () => void,
): Promise<Omit<ImportedBatch, "leftOut">> {
  const results = [...prepared.results];
  const rows = await newActivities(ctx, prepared, results);
  const record = () =>
    recordTraced(
      ctx,
      rows.map(({ given }) => reportOf(given, terms)),
      terms,
    );
  return importReports(ctx, { rows, results, what: "activity", dryRun: terms.dryRun, locksTaken, record });
}

/** The rows that are no activity that there is, with whose they are. The others get a result. */
async function newActivities(ctx: Ctx, { rows }: Activities, results: (RowResult | null)[]): Promise<NewActivity[]> {
  const there = await findExternalIds(
    ctx.db,
    rows.flatMap(({ given }) => idsIn(given)),
  );
  return rows.flatMap((row) => {
    const { given, label, reasons, index } = row;
    const { named, property } = given;
    if (idsIn(given).some((id) => there.has(id))) {
      results[index] = { outcome: "unchanged", entityId: null, label, changes: [], reasons };
      return [];
    }
    if (named && property !== NOTE) return [{ ...row, given: { ...given, named } }];
    const reason = named
      ? { code: "is_note", message: "It says that a note was saved; the export of notes brings the note." }
      : { code: "no_identifier", message: "The row does not say which person or company the activity is about." };
    results[index] = skipped(label, [{ ...reason, column: null }, ...reasons]);
    return [];
  });
}

const OURS = "rapport:";

/** What an activity is called here, when it was exported from here, or from where it was imported to. */
const idsIn = ({ id, externalId }: GivenActivity): string[] =>
  [id, externalId?.startsWith(OURS) ? externalId.slice(OURS.length) : null].flatMap((one) =>
    one !== null && isUuid(one) ? [one.toLowerCase()] : [],
  );

function reportOf(given: NewActivity["given"], { create }: Terms): Report {
  const { named, property, value, happenedAt: observedAt } = given;
  const source = given.source ?? SOURCE;
  const type = typeNamedBy(named.kind, named.value);
  return {
    about: { named: [named], type, create },
    source,
    introduces: Object.entries(namesOf(given, type)).map(([property, value]) => ({
      ...({ kind: "state", property, value, source, method: "observed", observedAt: null } as const),
    })),
    drafts: [
      { kind: "event", property, value, source, method: "observed", observedAt, externalId: externalIdOf(given) },
    ],
  };
}

/** What a contact who is new is called. A file that Rapport exported has the address or domain of one without a name. */
function namesOf({ name }: GivenActivity, type: "person" | "company"): Readonly<Record<string, string>> {
  if (name === null || normaliseEmail(name) !== null || companyDomain(name) !== null || name.includes("linkedin.com/"))
    return {};
  return type === "person" ? namesIn(name) : { name };
}

/** The same thing at the same time is the same activity, where the file has no id of it. */
function externalIdOf({ externalId, id, property, value, happenedAt }: GivenActivity): string {
  if (externalId !== null) return externalId;
  if (id !== null) return `${OURS}${id}`;
  const content = `${property}\n${happenedAt?.toISOString() ?? ""}\n${canonicalJson(value)}`;
  return `csv:${hash("sha256", content).slice(0, 32)}`;
}
