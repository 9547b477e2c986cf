import type { MemberFinder } from "#lib/auth/named-members.ts";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { type Decision, type Report, type ReportResult, recordAndTell } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type Identifier, identifierKey, type ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { type Draft, latestCounts } from "#lib/domain/records/evidence/service.ts";
import { findTimes } from "../queries/times.ts";
import { type Fields, type Kind, type Row, understand } from "./write.ts";

/** A row of a file. */
export type GivenRow = {
  /** as `POST /v2/people` or `/v2/companies` takes them */
  fields: Fields;
  /** further identifiers of the same record */
  more: readonly Identifier[];
  /** null: the moment it is recorded */
  observedAt: Date | null;
  /** a company that the row describes, as `POST /v2/companies` takes it; only its blanks are filled */
  employer: Fields | null;
  /** identifiers of that company beside those among its fields */
  employerMore: readonly Identifier[];
  /** whether the row says that the person works there; else it is the company of their e-mail */
  employs: boolean;
  /** an earlier row was about the same record: only blanks are filled */
  repeats: boolean;
};

export type Terms = {
  source: string;
  overwrite: boolean;
  create: boolean;
  /** says what would be done, and writes nothing */
  dryRun: boolean;
};

/** `kept`: properties for which another value stays, because there is one, or because it is known better. */
export type ImportedRow = {
  entity: ResolvedEntity;
  changed: string[];
  kept: { property: string; why: "filled" | "stronger" | "by_person" }[];
};

/**
 * What an import keeps of what it recorded, to take it back. `touched`: every person of its rows, and the companies that it wrote to;
 * `created`: those it created, companies included.
 */
export type Traces = {
  touched: string[];
  created: string[];
  attached: AttachedIdentifier[];
  /** when the rows that may change last changed */
  times: Record<string, string>;
};
type AttachedIdentifier = Identifier & { entityId: string };

/** A row that was parsed, with its identifiers, and the company that it describes. */
export type ReadRow = {
  row: Row;
  named: Identifier[];
  given: GivenRow;
  employer: { row: Row; named: readonly Identifier[] } | null;
};

/** Parses a row, or says why it is refused; `owners` finds the member that it names as owner. */
export function readRow(ctx: Pick<Ctx, "actor">, kind: Kind, fileRow: GivenRow, owners: MemberFinder): ReadRow | Fault {
  const row = understand(ctx, kind, fileRow.fields, owners, fileRow.more);
  if (isFault(row)) return row;
  // The latest address is the one that is shown.
  const names = new Map([...fileRow.more.toReversed(), ...row.identifiers].map((item) => [identifierKey(item), item]));
  const employer =
    fileRow.employer === null ? null : understand(ctx, "company", fileRow.employer, owners, fileRow.employerMore);
  return {
    row,
    named: [...names.values()],
    given: fileRow,
    employer:
      employer === null || isFault(employer)
        ? null
        : { row: employer, named: [...employer.identifiers, ...fileRow.employerMore] },
  };
}

/** Every identifier that importing these rows looks for or creates: theirs, and those of the companies they describe. */
export const namesToHold = (rows: readonly (ReadRow | Fault)[]): Identifier[] =>
  rows.flatMap((part) => (isFault(part) ? [] : [...part.named, ...(part.employer?.named ?? [])]));

/**
 * Creates or completes the records that the rows of a file name, as if one after another, in few statements. The same
 * rules as for `POST /v2/people` and `/v2/companies`; what is believed already, or was said before, is not recorded again.
 * The caller holds the locks of `namesToHold`.
 */
export async function importRows(
  ctx: Ctx,
  kind: Kind,
  parts: readonly (ReadRow | Fault)[],
  terms: Terms,
): Promise<{ done: (ImportedRow | Fault)[]; traces: Traces }> {
  const good = parts.filter((part): part is ReadRow => !isFault(part));
  const reports = good.map((part) => reportOf(kind, part, terms));
  const { results, traces } = await recordTraced(ctx, reports, terms);
  const next = results.values();
  const done = parts.map((part) => {
    if (isFault(part)) return part;
    const result = next.next().value as ReportResult | Fault;
    return isFault(result) ? result : doneOf(part, result);
  });
  return { done, traces };
}

/** Records the reports of an import, or foresees what they would do. */
export async function recordTraced(
  ctx: Ctx,
  reports: readonly Report[],
  { dryRun }: Pick<Terms, "dryRun">,
): Promise<{ results: (ReportResult | Fault)[]; traces: Traces }> {
  let times: Traces["times"] = {};
  const { results, decision } = await recordAndTell(ctx, reports, {
    dryRun,
    async before(decided) {
      times = await timesBefore(ctx, decided);
    },
  });
  const contacts = [...decision.contacts.values()];
  const learned = new Set([...decision.evidence, ...decision.identifiers].map(({ entityId }) => entityId));
  // A company that is only named again has nothing to take back.
  const touched = contacts.flatMap(({ entity: { id, type }, isReported }) =>
    isReported && (type !== "company" || learned.has(id)) ? [id] : [],
  );
  const created = contacts.flatMap(({ entity, isNew }) => (isNew ? [entity.id] : []));
  const attached = decision.identifiers.map(({ kind, value, entityId }) => ({ kind, value, entityId }));
  return { results, traces: { touched, created, attached, times } };
}

/** What a row says: of its record, and of the company that a person works for. */
function reportOf(kind: Kind, { row, named, given, employer }: ReadRow, terms: Terms): Report {
  const { source, create } = terms;
  const report = { about: { named, type: kind, create }, drafts: draftsOf(row, given, terms), source };
  if (employer === null) return report;
  const about = { named: employer.named, type: "company", create } as const;
  const drafts = draftsOf(employer.row, { ...given, repeats: true }, terms);
  return { ...report, employer: { about, drafts, source, terms: given.employs ? terse(given, terms) : null } };
}

/**
 * A new count of people moves no time (0110), but activity that someone brings or takes along does: besides the records that the file
 * says something about, the companies are read that known people leave or join.
 */
function timesBefore(ctx: Ctx, decision: Decision): Promise<Record<string, string>> {
  const existing = [...decision.contacts.values()].filter(({ shown, touched, isNew }) => (shown || touched) && !isNew);
  const idsOf = (contacts: typeof existing) => contacts.map(({ entity }) => entity.id);
  const movers = new Set(idsOf(existing.filter(({ weighing }) => weighing.touches("works_at"))));
  const joined = decision.evidence.flatMap(({ property, value, entityId }) =>
    property === "works_at" && movers.has(entityId) ? [String(value)] : [],
  );
  const companies = existing.filter(({ entity }) => entity.type === "company");
  const renamed = companies.filter(({ gets, weighing }) => gets.length > 0 || weighing.touches("name"));
  return findTimes(ctx.db, {
    ids: [...new Set([...idsOf(existing), ...joined])],
    renamed: idsOf(renamed),
    movers: [...movers],
    acting: idsOf(existing.filter(({ touched }) => touched)),
  });
}

/** What a file says again is not recorded again. */
const terse = ({ observedAt, repeats }: GivenRow, { source, overwrite }: Terms) =>
  ({ source, observedAt, unlessFresh: false, unlessSaid: true, onlyBlank: repeats || !overwrite }) as const;

/** A file's rows are `observed`, no matter who sends it; a stage and an owner are asserted by all. */
const draftsOf = (row: Row, source: GivenRow, terms: Terms): Draft[] =>
  row.drafts
    .filter(({ value }) => value !== null)
    .map((draft) => {
      const method = latestCounts(draft.property) ? "asserted" : "observed";
      return { ...draft, ...terse(source, terms), method };
    });

function doneOf({ row }: ReadRow, { entity, believed }: ReportResult): ImportedRow {
  const draftValues = new Map(row.drafts.map(({ property, value }) => [property, canonicalJson(value)]));
  const changed = believed.filter((one) => one.changed && one.property !== "works_at").map(({ property }) => property);
  const linked = believed.some((one) => one.changed && one.property === "works_at");
  const kept = believed.flatMap(({ property, value, conflict }): ImportedRow["kept"] => {
    if (property === "works_at" || !conflict || draftValues.get(property) === canonicalJson(value)) return [];
    if (conflict.method !== "asserted") return [{ property, why: "filled" }];
    return [{ property, why: conflict.source === "manual" ? "by_person" : "stronger" }];
  });
  const attached = entity.created ? [] : entity.attached.map((item) => item.kind);
  return { entity, changed: [...new Set([...attached, ...changed, ...(linked ? ["company_id"] : [])])], kept };
}
