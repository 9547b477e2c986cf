import { Fault, isFault } from "#lib/core/errors.ts";
import { attempt } from "#lib/db/transaction.ts";
import {
  attachIdentifiers,
  type Resolved,
  resolveByIdentifiers,
  resolveExisting,
  retireIdentifiers,
  setStatus,
} from "#lib/domain/entities/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { type Draft, sourceOf } from "#lib/domain/observations/service.ts";
import * as contract from "../contract.ts";
import { findCompanyJson, findPersonJson } from "../queries/lists.ts";
import { customIn, identifiersIn, phoneOf } from "../rules/input.ts";
import { recordAbout, refresh } from "./record.ts";

type Fields = Readonly<Record<string, unknown>>;
type Kind = "person" | "company";

const claimFields = {
  person: ["first_name", "last_name", "job_title", "company", "phone", "pipeline_stage"],
  company: ["name", "industry", "employee_count", "country"],
} as const;
const otherFields = {
  person: ["focus", "email", "linkedin_url", "status", "source"],
  company: ["focus", "domain", "linkedin_url", "status", "source"],
} as const;
const reserved = { person: contract.reservedForPeople, company: contract.reservedForCompanies } as const;

/** Every given field as asserted evidence; what its source has said already is left out. */
function draftsOf(ctx: Ctx, kind: Kind, fields: Fields): Draft[] {
  const source = typeof fields.source === "string" ? fields.source : sourceOf(ctx);
  const known: [string, unknown][] = claimFields[kind].flatMap((name) =>
    fields[name] === undefined ? [] : [[name, fields[name]] as [string, unknown]],
  );
  const custom = customIn(fields, [...claimFields[kind], ...otherFields[kind]], reserved[kind]);
  return [...known, ...custom].map(([property, given]) => ({
    kind: "state",
    property,
    value: property === "phone" && typeof given === "string" ? phoneOf(given) : given,
    source,
    method: "asserted",
    observedAt: null,
    unlessFresh: true,
  }));
}

/** Applies what the fields say about an entity besides its identity, and returns how many claims that wrote. */
async function apply(ctx: Ctx, entity: Resolved, fields: Fields, drafts: readonly Draft[]): Promise<number> {
  const cleared = (["email", "linkedin_url", "domain"] as const).filter((name) => fields[name] === null);
  for (const name of cleared) await retireIdentifiers(ctx.db, entity.id, name);
  const status = fields.status === "active" || fields.status === "archived" ? fields.status : entity.status;
  if (status !== entity.status) await setStatus(ctx.db, entity.id, status);
  const changed = { ...entity, status };
  const { recorded } = await recordAbout(ctx, changed, drafts);
  if (cleared.length > 0 || status !== entity.status) await refresh(ctx, changed);
  return recorded;
}

async function upsert(ctx: Ctx, kind: Kind, fields: Fields): Promise<{ entity: Resolved; claims: number }> {
  const identifiers = identifiersIn(fields, kind);
  if (identifiers.length === 0) throw new Fault("identifier_required");
  const drafts = draftsOf(ctx, kind, fields);
  const entity = await resolveByIdentifiers(ctx, identifiers, kind);
  return { entity, claims: await apply(ctx, entity, fields, drafts) };
}

async function patch(
  ctx: Ctx,
  kind: Kind,
  focus: string,
  fields: Fields,
): Promise<{ entity: Resolved; claims: number }> {
  const identifiers = identifiersIn(fields, kind);
  const drafts = draftsOf(ctx, kind, fields);
  const entity = await resolveExisting(ctx, focus);
  if (entity.type !== kind) throw new Fault("entity_not_found");
  const attached = await attachIdentifiers(ctx, entity.id, identifiers);
  return { entity, claims: await apply(ctx, { ...entity, attached }, fields, drafts) };
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

export const upsertPerson = implement(contract.upsertPerson, async (ctx, input) => {
  const { entity, claims } = await upsert(ctx, "person", input);
  return { person: await personJson(ctx, entity.id), created: entity.created, claims_written: claims };
});

export const patchPerson = implement(contract.patchPerson, async (ctx, input) => {
  const { entity, claims } = await patch(ctx, "person", input.focus, input);
  return { person: await personJson(ctx, entity.id), claims_written: claims };
});

export const upsertCompany = implement(contract.upsertCompany, async (ctx, input) => {
  const { entity, claims } = await upsert(ctx, "company", input);
  return { company: await companyJson(ctx, entity.id), created: entity.created, claims_written: claims };
});

export const patchCompany = implement(contract.patchCompany, async (ctx, input) => {
  const { entity, claims } = await patch(ctx, "company", input.focus, input);
  return { company: await companyJson(ctx, entity.id), claims_written: claims };
});

type RowResult = {
  index: number;
  status: "created" | "updated" | "failed";
  entity_id: string | null;
  error?: string;
  message?: string;
};

export const upsertPeople = implement(contract.upsertPeople, async (ctx, { people }) => {
  const results: RowResult[] = [];
  // One order for all callers, so that two imports of the same people wait for each other instead of blocking.
  const order = people.map((_, index) => index).sort((a, b) => (orderOf(people[a]) < orderOf(people[b]) ? -1 : 1));
  for (const index of order) results.push(await upsertRow(ctx, people[index] as Fields, index));
  results.sort((a, b) => a.index - b.index);
  const count = (status: RowResult["status"]) => results.filter((result) => result.status === status).length;
  return { results, created: count("created"), updated: count("updated"), failed: count("failed") };
});

const orderOf = (row: Fields | undefined): string => {
  const email = typeof row?.email === "string" ? row.email.trim().toLowerCase() : "";
  return email ? `${email.split("@").reverse().join("@")}` : String(row?.linkedin_url ?? "");
};

async function upsertRow(ctx: Ctx, row: Fields, index: number): Promise<RowResult> {
  try {
    const fields = contract.upsertPerson.input.safeParse(row);
    if (!fields.success) {
      const [issue] = fields.error.issues;
      throw new Fault("invalid_parameter", {}, `${issue?.path.join(".")}: ${issue?.message}`);
    }
    const { entity } = await attempt(ctx.db, () => upsert(ctx, "person", fields.data));
    return { index, status: entity.created ? "created" : "updated", entity_id: entity.id };
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    return { index, status: "failed", entity_id: null, error: error.code, message: error.message };
  }
}
