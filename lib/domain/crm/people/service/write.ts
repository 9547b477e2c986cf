import { type MemberFinder, ownersIn } from "#lib/auth/named-members.ts";
import { Fault, isFault, isRefusal } from "#lib/core/errors.ts";
import { issueWords } from "#lib/core/issue-words.ts";
import {
  type About,
  countNew,
  type Report,
  type ReportResult,
  record,
  recordOne,
} from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { type Identifier, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { type CurrentBelief, type Draft, stateFrom } from "#lib/domain/records/evidence/service.ts";
import * as contract from "../contract.ts";
import { findCompanyJson, findPersonJson } from "../queries/lists.ts";
import { customIn, identifiersIn, phoneOf } from "../rules/input.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type Kind = "person" | "company";

const claimFields = {
  person: ["first_name", "last_name", "job_title", "company", "phone", "pipeline_stage", "owner"],
  company: ["name", "industry", "employee_count", "country", "owner"],
} as const;
const otherFields = {
  person: ["email", "linkedin_url", "status", "source"],
  company: ["domain", "linkedin_url", "status", "source"],
} as const;
const reserved = { person: contract.reservedForPeople, company: contract.reservedForCompanies } as const;

/** A field's value as it is kept; throws 400 for a phone number or a member that there is not. */
function keptValue(property: string, value: unknown, owners: MemberFinder): unknown {
  if (typeof value !== "string") return value;
  if (property === "phone") return phoneOf(value);
  return property === "owner" ? owners(value, "owner").email : value;
}

/** Every given field as evidence; what its source has said already is left out. */
function draftsOf(ctx: Pick<Ctx, "actor">, kind: Kind, fields: Fields, owners: MemberFinder): Draft[] {
  const source = typeof fields.source === "string" ? { source: fields.source } : {};
  const claims: [string, unknown][] = claimFields[kind].flatMap((name) =>
    fields[name] === undefined ? [] : [[name, fields[name]] as [string, unknown]],
  );
  const { focus: _inPath, ...told } = fields;
  const custom = customIn(kind, told, [...claimFields[kind], ...otherFields[kind]], reserved[kind]);
  return [...claims, ...custom].map(([property, given]) => ({
    ...stateFrom(ctx, property, keptValue(property, given, owners)),
    ...source,
    unlessFresh: true,
  }));
}

/** A row of fields that was parsed: from here on, only its identifiers can be refused. */
export type Row = { fields: Fields; identifiers: readonly Identifier[]; drafts: readonly Draft[] };
const clearable = ["email", "linkedin_url", "domain"] as const;
const clearedBy = ({ fields }: Row) => clearable.filter((name) => fields[name] === null);

/** Parses the identifiers and fields of an entity, which may have `more` identifiers; throws 400 for invalid ones. */
function namedRowOf(
  ctx: Pick<Ctx, "actor">,
  kind: Kind,
  fields: Fields,
  owners: MemberFinder,
  more: readonly Identifier[] = [],
): Row {
  const identifiers = identifiersIn(fields, kind);
  if (identifiers.length + more.length === 0) throw new Fault("identifier_required");
  return { fields, identifiers, drafts: draftsOf(ctx, kind, fields, owners) };
}

/** A row about someone, as it is recorded. */
const reportOf = (about: About, row: Row): Report => {
  const { source, status } = row.fields;
  return {
    about,
    drafts: row.drafts,
    source: typeof source === "string" ? source : undefined,
    status: status === "active" || status === "archived" ? status : undefined,
    loses: clearedBy(row).map((kind) => ({ kind })),
  };
};

/** Creates or completes the entities that rows name, as if one after another; a fault in the place of a row that is refused. */
const upsertEach = (ctx: Ctx, kind: Kind, rows: readonly Row[]): Promise<(ReportResult | Fault)[]> =>
  record(
    ctx,
    rows.map((row) => reportOf({ named: row.identifiers, type: kind, create: true }, row)),
  );

async function upsert(ctx: Ctx, kind: Kind, fields: Fields): Promise<ReportResult> {
  const row = namedRowOf(ctx, kind, fields, await ownersIn(ctx, [fields]));
  return recordOne(ctx, reportOf({ named: row.identifiers, type: kind, create: true }, row));
}

async function patch(ctx: Ctx, kind: Kind, focus: string, fields: Fields): Promise<ReportResult> {
  const owners = await ownersIn(ctx, [fields]);
  const row: Row = { fields, identifiers: identifiersIn(fields, kind), drafts: draftsOf(ctx, kind, fields, owners) };
  const { id, type } = await resolveExisting(ctx, focus);
  if (type !== kind) throw new Fault("entity_not_found");
  return recordOne(ctx, reportOf({ id, gets: row.identifiers }, row));
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

const viewOfWritten = (result: ReportResult) => ({
  claims_written: countNew(result),
  claims_recomputed: [...result.recomputed],
  claims: [...result.believed],
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
  claims?: CurrentBelief[];
  error?: string;
  message?: string;
};

export const upsertPeople = implement(contract.upsertPeople, (ctx, { people }) => upsertRows(ctx, "person", people));

export const upsertCompanies = implement(contract.upsertCompanies, (ctx, { companies }) =>
  upsertRows(ctx, "company", companies),
);

const schemas = { person: contract.upsertPerson.input, company: contract.upsertCompany.input } as const;

/** Rows of any kind of content, each taken or refused by itself. */
async function upsertRows(ctx: Ctx, kind: Kind, fieldRows: readonly Fields[]) {
  const results: RowResult[] = [];
  const rows: Row[] = [];
  const places: number[] = [];
  const owners = await ownersIn(ctx, fieldRows);
  for (const [index, raw] of fieldRows.entries()) {
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
export function understand(
  ctx: Pick<Ctx, "actor">,
  kind: Kind,
  raw: Fields,
  owners: MemberFinder,
  more: readonly Identifier[] = [],
): Row | Fault {
  const fields = schemas[kind].safeParse(raw, { error: issueWords });
  if (!fields.success) {
    const [issue] = fields.error.issues;
    return new Fault("invalid_parameter", {}, `${issue?.path.join(".")}: ${issue?.message}`);
  }
  try {
    return namedRowOf(ctx, kind, fields.data, owners, more);
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}
