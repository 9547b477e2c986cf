import type { MemberFinder } from "#lib/auth/named-members.ts";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { canonicalJson } from "#lib/core/json.ts";
import {
  companyDomainOf,
  foreseeEach,
  type Named,
  type Owners,
  type Resolved,
  resolveEach,
  type Wanted,
} from "#lib/domain/entities/service.ts";
import { type Draft, latestCounts, type Recorded } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findTimes } from "../queries/times.ts";
import type { Full, Said } from "./implied.ts";
import { foreseeRecorded, recordEach } from "./record.ts";
import { type Fields, type Kind, type Row, understand } from "./write.ts";

/** A row of a file. */
export type GivenRow = {
  /** as `POST /v2/people` or `/v2/companies` takes them */
  fields: Fields;
  /** further identifiers of the same record */
  more: readonly Named[];
  /** null: the moment it is recorded */
  observedAt: Date | null;
  /** the company a person works for, as `POST /v2/companies` takes it; only its blanks are filled */
  employer: Fields | null;
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
export type RowDone = { entity: Resolved; changed: string[]; kept: { property: string; why: "filled" | "stronger" }[] };

/** `touched`: every record it wrote to; `created`: those it created, companies included. */
type ImportedRows = {
  done: (RowDone | Fault)[];
  touched: string[];
  created: string[];
  attached: Attached[];
  /** when the rows that may change last changed */
  times: Record<string, string>;
};
export type Attached = Named & { entityId: string };

/** A row that was parsed, with its identifiers, and the company that it describes. */
export type ReadRow = { row: Row; named: Named[]; given: GivenRow; employer: { row: Row; key: string } | null };

/** Parses a row, or says why it is refused; `owners` finds the member that it names as owner. */
export function readRow(ctx: Pick<Ctx, "actor">, kind: Kind, given: GivenRow, owners: MemberFinder): ReadRow | Fault {
  const row = understand(ctx, kind, given.fields, owners);
  if (isFault(row)) return row;
  // The latest address is the one that is shown.
  const names = new Map(
    [...given.more.toReversed(), ...row.identifiers].map((item) => [`${item.kind} ${item.value}`, item]),
  );
  const employer = given.employer === null ? null : understand(ctx, "company", given.employer, owners);
  return {
    row,
    named: [...names.values()],
    given,
    employer: employer === null || isFault(employer) ? null : { row: employer, key: canonicalJson(given.employer) },
  };
}

/** Every identifier that importing these rows looks for or creates: theirs, and those of their companies. */
export const namesToHold = (rows: readonly (ReadRow | Fault)[]): Named[] =>
  rows.flatMap((part): Named[] => {
    if (isFault(part)) return [];
    const domains = part.named.flatMap(({ kind, value }) => (kind === "email" ? (companyDomainOf(value) ?? []) : []));
    return [
      ...part.named,
      ...(part.employer?.row.identifiers ?? []),
      ...domains.map((value): Named => ({ kind: "domain", value })),
    ];
  });

/**
 * Creates or completes the records that the rows of a file name, as if one after another, in few statements. The same
 * rules as for `POST /v2/people` and `/v2/companies`; what is believed already, or was said before, is not recorded again.
 * The caller holds the locks of `namesToHold`, and `owners` are who has these.
 */
export async function importRows(
  ctx: Ctx,
  kind: Kind,
  parts: readonly (ReadRow | Fault)[],
  terms: Terms,
  owners: Owners,
): Promise<ImportedRows> {
  const good = parts.filter((part): part is ReadRow => !isFault(part));
  const resolve = async (wanted: readonly Wanted[]) =>
    terms.dryRun ? foreseeEach(ctx, wanted, owners) : resolveEach(ctx, wanted, { source: terms.source, owners });
  const entities = await resolve(good.map(({ named }) => ({ named, type: kind, create: terms.create })));
  const employers = await resolveEmployers(good, entities, resolve, terms);
  const said: Said[] = [...employers.said];
  const first = said.length;
  for (const [index, { row, given: one }] of good.entries()) {
    const entity = entities[index];
    if (entity === undefined || isFault(entity)) continue;
    const employer = employers.of.get(index);
    said.push({ entity, drafts: draftsOf(row, one, terms, employer), source: terms.source });
  }
  let times: Record<string, string> = {};
  const founded: string[] = [];
  const recorded = terms.dryRun
    ? await foreseeRecorded(ctx, said, owners)
    : await recordEach(ctx, said, {
        founding: (id) => founded.push(id),
        changing: async (changes) => {
          times = await timesBefore(ctx, changes);
        },
        first: true,
        owners,
      });
  const results = recorded.slice(first).values();
  const outcomes = good.map((part, index) => {
    const entity = entities[index] as Resolved | Fault;
    return isFault(entity) ? entity : doneOf(part, entity, results.next().value as Recorded);
  });
  const next = outcomes.values();
  const resolved = said.map(({ entity }) => entity);
  return {
    done: parts.map((part) => (isFault(part) ? part : (next.next().value as RowDone | Fault))),
    touched: [...new Set([...resolved.map(({ id }) => id), ...founded])],
    created: [...new Set([...resolved.filter(({ created }) => created).map(({ id }) => id), ...founded])],
    attached: resolved.flatMap(({ id, attached }) => attached.map((item) => ({ ...item, entityId: id }))),
    times,
  };
}

/** A company that people join or leave keeps its time (0100), so only records that the file says something about are read. */
function timesBefore(ctx: Ctx, changes: readonly Full[]): Promise<Record<string, string>> {
  const known = changes.flatMap(({ entity }) => (entity.created ? [] : [entity.id]));
  const companies = changes.filter(({ entity }) => entity.type === "company" && !entity.created);
  const renamed = companies.filter(({ entity, drafts }) => entity.attached.length > 0 || drafts.some(mayRename));
  return findTimes(ctx.db, {
    ids: [...new Set(known)],
    renamed: renamed.map(({ entity }) => entity.id),
    named: companies.map(({ entity }) => entity.id),
  });
}

/** A draft that only fills a blank gives no new name to a company that has one. */
const mayRename = ({ property, onlyBlank }: Draft): boolean => property === "name" && !onlyBlank;

type Resolve = (wanted: readonly Wanted[]) => Promise<(Resolved | Fault)[]>;

/** The companies that rows of people describe; one whose identifiers contradict each other is left out. */
async function resolveEmployers(
  parts: readonly ReadRow[],
  entities: readonly (Resolved | Fault)[],
  resolve: Resolve,
  terms: Terms,
) {
  const described = parts.flatMap(({ given, employer }, index) =>
    employer === null || isFault(entities[index]) ? [] : [{ index, ...employer, given }],
  );
  const companies = await resolve(
    described.map(({ row }) => ({ named: row.identifiers, type: "company", create: terms.create })),
  );
  const of = new Map<number, string>();
  const said: Said[] = [];
  const before = new Set<string>();
  for (const [place, { index, row, key, given }] of described.entries()) {
    const company = companies[place];
    if (company === undefined || isFault(company)) continue;
    of.set(index, company.id);
    if (before.has(key)) continue; // the same was said of it by a row above
    before.add(key);
    const drafts = draftsOf(row, { ...given, repeats: true }, terms);
    said.push({ entity: company, drafts, source: terms.source });
  }
  return { of, said };
}

/** A file's rows are `observed`, no matter who sends it; a stage and an owner are asserted by all. */
function draftsOf(row: Row, { observedAt, repeats }: GivenRow, terms: Terms, employer?: string): Draft[] {
  const onlyBlank = repeats || !terms.overwrite;
  const terse = { source: terms.source, observedAt, unlessFresh: false, unlessSaid: true, onlyBlank } as const;
  const drafts = row.drafts
    .filter(({ value }) => value !== null)
    .map((draft): Draft => {
      const method = latestCounts(draft.property) ? "asserted" : "observed";
      return { ...draft, ...terse, method };
    });
  if (employer === undefined) return drafts;
  return [{ kind: "state", property: "works_at", value: employer, method: "inferred", ...terse }, ...drafts];
}

function doneOf({ row }: ReadRow, entity: Resolved, { believed }: Recorded): RowDone {
  const given = new Map(row.drafts.map(({ property, value }) => [property, canonicalJson(value)]));
  const changed = believed.filter((one) => one.changed && one.property !== "works_at").map(({ property }) => property);
  const linked = believed.some((one) => one.changed && one.property === "works_at");
  const kept = believed.flatMap(({ property, value, conflict }): RowDone["kept"] => {
    if (property === "works_at" || !conflict || given.get(property) === canonicalJson(value)) return [];
    return [{ property, why: conflict.method === "asserted" ? "stronger" : "filled" }];
  });
  const attached = entity.created ? [] : entity.attached.map((item) => item.kind);
  return { entity, changed: [...new Set([...attached, ...changed, ...(linked ? ["company_id"] : [])])], kept };
}
