import type { MemberFinder } from "#lib/auth/named-members.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import {
  attachIdentifiers,
  lockIdentifiers,
  type Named,
  type Resolved,
  resolveEach,
  resolveExisting,
  retireIdentifiers,
  setStatus,
} from "#lib/domain/entities/service.ts";
import { type Believed, type Draft, methodOf, type Recorded, sourceOf } from "#lib/domain/evidence/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { findCompanyJson, findPersonJson } from "../queries/lists.ts";
import { customIn, identifiersIn, phoneOf } from "../rules/input.ts";
import { holdEntities } from "./hold.ts";
import { ownersIn } from "./owners.ts";
import { recordEach } from "./record.ts";
import { refresh } from "./refresh.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type Kind = "person" | "company";

const claimFields = {
  person: ["first_name", "last_name", "job_title", "company", "phone", "pipeline_stage", "owner"],
  company: ["name", "industry", "employee_count", "country", "owner"],
} as const;
const otherFields = {
  person: ["focus", "email", "linkedin_url", "status", "source"],
  company: ["focus", "domain", "linkedin_url", "status", "source"],
} as const;
const reserved = { person: contract.reservedForPeople, company: contract.reservedForCompanies } as const;

/** A field's value as it is kept; throws 400 for a phone number or a member that there is not. */
function keptValue(property: string, given: unknown, owners: MemberFinder): unknown {
  if (typeof given !== "string") return given;
  if (property === "phone") return phoneOf(given);
  return property === "owner" ? owners(given, "owner").email : given;
}

/** Every given field as evidence; what its source has said already is left out. */
function draftsOf(ctx: Pick<Ctx, "actor">, kind: Kind, fields: Fields, owners: MemberFinder): Draft[] {
  const source = typeof fields.source === "string" ? fields.source : sourceOf(ctx);
  const known: [string, unknown][] = claimFields[kind].flatMap((name) =>
    fields[name] === undefined ? [] : [[name, fields[name]] as [string, unknown]],
  );
  const custom = customIn(kind, fields, [...claimFields[kind], ...otherFields[kind]], reserved[kind]);
  return [...known, ...custom].map(([property, given]) => ({
    kind: "state",
    property,
    value: keptValue(property, given, owners),
    source,
    method: methodOf(ctx, property),
    observedAt: null,
    unlessFresh: true,
  }));
}

/** A row of fields that was parsed: from here on, only its identifiers can be refused. */
export type Row = { fields: Fields; identifiers: readonly Named[]; drafts: readonly Draft[] };
/** `written`: how many observations were new. */
type Applied = { entity: Resolved; written: number; recomputed: readonly string[]; believed: readonly Believed[] };

const clearable = ["email", "linkedin_url", "domain"] as const;
const clearedBy = ({ fields }: Row) => clearable.filter((name) => fields[name] === null);

/** Parses the identifiers and fields of an entity; throws 400 for invalid ones. */
function namedRowOf(ctx: Pick<Ctx, "actor">, kind: Kind, fields: Fields, owners: MemberFinder): Row {
  const identifiers = identifiersIn(fields, kind);
  if (identifiers.length === 0) throw new Fault("identifier_required");
  return { fields, identifiers, drafts: draftsOf(ctx, kind, fields, owners) };
}

/**
 * Applies the fields of rows, other than identifiers, as if one after another, and says how many claims each wrote. At
 * most one of the rows clears identifiers.
 */
async function applyEach(ctx: Ctx, found: readonly (Row & { entity: Resolved })[]): Promise<Applied[]> {
  const rows = await holdChanged(ctx, found);
  const stands = new Map<string, Resolved["status"]>();
  const changed = new Map<string, Resolved>();
  const said = rows.map(({ entity: found, fields, drafts }) => {
    const before = stands.get(found.id) ?? found.status;
    const status = fields.status === "active" || fields.status === "archived" ? fields.status : before;
    stands.set(found.id, status);
    const entity = { ...found, status };
    if (status !== before || changed.has(found.id)) changed.set(found.id, entity);
    return { entity, drafts, ...(typeof fields.source === "string" ? { source: fields.source } : {}) };
  });
  for (const status of ["active", "archived"] as const) {
    const ids = [...changed.values()].filter((entity) => entity.status === status).map(({ id }) => id);
    if (ids.length > 0) await setStatus(ctx.db, ids, status);
  }
  for (const [index, row] of rows.entries())
    for (const name of clearedBy(row)) {
      const { entity } = said[index] as (typeof said)[number];
      await retireIdentifiers(ctx.db, entity.id, name);
      changed.set(entity.id, entity);
    }
  const recorded = await recordEach(ctx, said);
  if (changed.size > 0) await refresh(ctx, (recorded[0] as Recorded).at, [...changed.values()]);
  return said.map(({ entity }, index) => {
    const { recorded: written, believed, derived } = recorded[index] as Recorded;
    return { entity, written, recomputed: derived.map(({ property }) => property), believed };
  });
}

/**
 * Locks the entities of rows that archive, bring back or clear, before their data changes: a merge or an erasure holds
 * the entity's lock while it changes the same data.
 */
async function holdChanged<R extends Row & { entity: Resolved }>(ctx: Ctx, rows: readonly R[]): Promise<readonly R[]> {
  const changes = ({ entity, fields }: R) => fields.status !== undefined && fields.status !== entity.status;
  if (!rows.some((row) => changes(row) || clearedBy(row).length > 0)) return rows;
  const standing = await holdEntities(
    ctx,
    rows.map(({ entity }) => entity.id),
  );
  return rows.map((row) => ({ ...row, entity: { ...row.entity, ...standing.get(row.entity.id) } }));
}

/** Rows that can be applied together: an identifier that one row clears may be used by the next. */
function runsOf(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = [];
  let open = false;
  for (const row of rows) {
    const alone = clearedBy(row).length > 0;
    if (open && !alone) runs.at(-1)?.push(row);
    else runs.push([row]);
    open = !alone;
  }
  return runs;
}

/** Creates or completes the entities that rows name, as if one after another; a fault in the place of a row that is refused. */
async function upsertEach(ctx: Ctx, kind: Kind, rows: readonly Row[]): Promise<(Applied | Fault)[]> {
  const results: (Applied | Fault)[] = [];
  const runs = runsOf(rows);
  // Locked here in one order for all; the runs below would use another.
  if (runs.length > 1)
    await lockIdentifiers(
      ctx.db,
      rows.flatMap(({ identifiers }) => identifiers),
    );
  for (const run of runs) {
    const resolved = await resolveEach(
      ctx,
      run.map(({ identifiers }) => ({ named: identifiers, type: kind })),
    );
    const good = run.flatMap((row, index) => {
      const entity = resolved[index];
      return entity === undefined || isFault(entity) ? [] : [{ ...row, entity }];
    });
    const applied = (await applyEach(ctx, good)).values();
    for (const entity of resolved) results.push(isFault(entity) ? entity : (applied.next().value as Applied));
  }
  return results;
}

async function upsert(ctx: Ctx, kind: Kind, fields: Fields): Promise<Applied> {
  const [result] = await upsertEach(ctx, kind, [namedRowOf(ctx, kind, fields, await ownersIn(ctx, [fields]))]);
  if (isFault(result)) throw result;
  return result as Applied;
}

async function patch(ctx: Ctx, kind: Kind, focus: string, fields: Fields): Promise<Applied> {
  const owners = await ownersIn(ctx, [fields]);
  const row: Row = { fields, identifiers: identifiersIn(fields, kind), drafts: draftsOf(ctx, kind, fields, owners) };
  const entity = await resolveExisting(ctx, focus);
  if (entity.type !== kind) throw new Fault("entity_not_found");
  const attached = await attachIdentifiers(ctx, entity.id, row.identifiers);
  const [applied] = await applyEach(ctx, [{ ...row, entity: { ...entity, attached } }]);
  return applied as Applied;
}

async function personJson(ctx: Ctx, id: string): Promise<contract.Person> {
  const json = await findPersonJson(ctx.db, id);
  if (json === null) throw new Fault("entity_not_found");
  return JSON.parse(json) as contract.Person;
}

async function companyJson(ctx: Ctx, id: string): Promise<contract.Company> {
  const json = await findCompanyJson(ctx.db, id);
  if (json === null) throw new Fault("entity_not_found");
  return JSON.parse(json) as contract.Company;
}

const viewOfWritten = ({ written, recomputed, believed }: Applied) => ({
  claims_written: written,
  claims_recomputed: [...recomputed],
  claims: [...believed],
});

export const upsertPerson = implement(contract.upsertPerson, async (ctx, input) => {
  const applied = await upsert(ctx, "person", input);
  const { id, created } = applied.entity;
  return { person: await personJson(ctx, id), created, ...viewOfWritten(applied) };
});

export const patchPerson = implement(contract.patchPerson, async (ctx, input) => {
  const applied = await patch(ctx, "person", input.focus, input);
  return { person: await personJson(ctx, applied.entity.id), ...viewOfWritten(applied) };
});

export const upsertCompany = implement(contract.upsertCompany, async (ctx, input) => {
  const applied = await upsert(ctx, "company", input);
  const { id, created } = applied.entity;
  return { company: await companyJson(ctx, id), created, ...viewOfWritten(applied) };
});

export const patchCompany = implement(contract.patchCompany, async (ctx, input) => {
  const applied = await patch(ctx, "company", input.focus, input);
  return { company: await companyJson(ctx, applied.entity.id), ...viewOfWritten(applied) };
});

type RowResult = {
  index: number;
  status: "created" | "updated" | "failed";
  entity_id: string | null;
  claims?: Believed[];
  error?: string;
  message?: string;
};

export const upsertPeople = implement(contract.upsertPeople, (ctx, { people }) => upsertRows(ctx, "person", people));

export const upsertCompanies = implement(contract.upsertCompanies, (ctx, { companies }) =>
  upsertRows(ctx, "company", companies),
);

const schemas = { person: contract.upsertPerson.input, company: contract.upsertCompany.input } as const;

/** Rows of any kind of content, each taken or refused by itself. */
async function upsertRows(ctx: Ctx, kind: Kind, given: readonly Fields[]) {
  const results: RowResult[] = [];
  const rows: Row[] = [];
  const places: number[] = [];
  const owners = await ownersIn(ctx, given);
  for (const [index, raw] of given.entries()) {
    const row = understand(ctx, kind, raw, owners);
    if (isFault(row)) results.push(refusal(index, row));
    else {
      rows.push(row);
      places.push(index);
    }
  }
  const done = await upsertEach(ctx, kind, rows);
  for (const [at, result] of done.entries()) {
    const index = places[at] as number;
    if (isFault(result)) results.push(refusal(index, result));
    else {
      const { entity, believed } = result;
      const status = entity.created ? "created" : "updated";
      results.push({ index, status, entity_id: entity.id, claims: [...believed] });
    }
  }
  results.sort((a, b) => a.index - b.index);
  const count = (status: RowResult["status"]) => results.filter((result) => result.status === status).length;
  return { results, created: count("created"), updated: count("updated"), failed: count("failed") };
}

const refusal = (index: number, { code, message }: Fault): RowResult => ({
  index,
  status: "failed",
  entity_id: null,
  error: code,
  message,
});

/** A row of any kind of content, or why it is refused. */
export function understand(ctx: Pick<Ctx, "actor">, kind: Kind, raw: Fields, owners: MemberFinder): Row | Fault {
  const fields = schemas[kind].safeParse(raw);
  if (!fields.success) {
    const [issue] = fields.error.issues;
    return new Fault("invalid_parameter", {}, `${issue?.path.join(".")}: ${issue?.message}`);
  }
  try {
    return namedRowOf(ctx, kind, fields.data, owners);
  } catch (error) {
    if (isFault(error) && error.status < 500) return error;
    throw error;
  }
}
