import { Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { issueWords } from "#lib/core/issue-words.ts";
import { identifiersIn } from "#lib/domain/crm/people/service.ts";
import { namesIn, type Report, record } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import type { Identifier } from "#lib/domain/records/entities/service.ts";
import { type Draft, readClock } from "#lib/domain/records/evidence/service.ts";
import * as contract from "../contract.ts";
import { findPeople, findThere, insertLeads, type KnownPerson, markLeads, type NewLead } from "../queries/changes.ts";
import { addColumns, keepList, type ListRow } from "../queries/lists.ts";
import { fieldsAfter } from "../rules/fields.ts";
import { requireList } from "./lists.ts";
import { leadOf } from "./read.ts";

/** A row that was parsed: from here on, only its person can be refused. */
type Row = contract.LeadInput & { named: readonly Identifier[] };

/**
 * What happened with a row. `there`: the person or their address was in the list already, as this lead; null: it was removed
 * meanwhile.
 */
type LeadResult = { leadId: string | null; entityId: string; there: boolean };

export const createLead = implement(contract.createLead, async (ctx, { list_id, ...input }) => {
  const list = requireList(await keepList(ctx.db, list_id));
  const [added] = await addRows(ctx, list, [rowOf(input)]);
  if (isFault(added)) throw added;
  if (!added) throw new Error("a lead was neither added nor refused");
  const { leadId, there } = added;
  if (there || leadId === null) throw new Fault("lead_exists", leadId === null ? {} : { lead_id: leadId });
  return { lead: await leadOf(ctx, leadId) };
});

export const createLeads = implement(contract.createLeads, async (ctx, { list_id, leads }) => {
  const list = requireList(await keepList(ctx.db, list_id));
  const parsed = leads.map(understand);
  const added = (
    await addRows(
      ctx,
      list,
      parsed.filter((row): row is Row => !isFault(row)),
    )
  ).values();
  const results = parsed.map((row, index) =>
    resultOf(index, isFault(row) ? row : (added.next().value as LeadResult | Fault)),
  );
  const count = (status: (typeof results)[number]["status"]) =>
    results.filter((result) => result.status === status).length;
  return {
    results,
    inserted: count("inserted"),
    skipped: count("skipped"),
    duplicate_skipped: count("duplicate_skipped"),
  };
});

function resultOf(index: number, added: LeadResult | Fault) {
  if (isFault(added)) {
    const { code: error, message } = added;
    return { index, status: "skipped" as const, lead_id: null, entity_id: null, error, message };
  }
  const status = added.there ? ("duplicate_skipped" as const) : ("inserted" as const);
  return { index, status, lead_id: added.leadId, entity_id: added.entityId };
}

/** Throws 400 for identifiers that are not valid, or none. */
function rowOf(input: contract.LeadInput): Row {
  const named = identifiersIn(input, "person");
  if (input.entity_id !== undefined && named.length > 0)
    throw new Fault("invalid_parameter", { parameter: "entity_id" }, "entity_id: give either it or identifiers.");
  if (input.entity_id === undefined && named.length === 0) throw new Fault("identifier_required");
  return { ...input, named };
}

function understand(raw: Readonly<Record<string, unknown>>): Row | Fault {
  const input = contract.LeadInput.safeParse(raw, { error: issueWords });
  if (!input.success) {
    const [issue] = input.error.issues;
    const at = issue?.path.join(".");
    return new Fault("invalid_parameter", {}, at ? `${at}: ${issue?.message}` : `${issue?.message}`);
  }
  try {
    return rowOf(input.data);
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
}

/** Adds people of the record to a list, in the caller's transaction. */
export const addPeople = (
  ctx: Ctx,
  list: ListRow,
  rows: readonly contract.LeadInput[],
): Promise<(LeadResult | Fault)[]> => addRows(ctx, list, rows.map(rowOf));

/** Adds rows to a list that stays, as if one after another; a fault in the place of a row that is refused. */
async function addRows(ctx: Ctx, list: ListRow, rows: readonly Row[]): Promise<(LeadResult | Fault)[]> {
  if (rows.length === 0) return [];
  const people = await peopleOf(ctx, list, rows);
  const at = await readClock(ctx.db);
  const ids = [...new Set(people.flatMap((person) => (isFault(person) ? [] : [person.id])))];
  const peopleById = new Map((await findPeople(ctx.db, ids)).map((person) => [person.id, person]));
  const leads = rows.map((row, place): NewLead | Fault => {
    const person = people[place] as { id: string } | Fault;
    return isFault(person) ? person : leadOfRow(row, person.id, peopleById.get(person.id));
  });
  const fresh = leads.filter((lead): lead is NewLead => !isFault(lead));
  const inserted = fresh.length > 0 ? await insertLeads(ctx.db, list.id, at, fresh) : new Set<string>();
  const news = fresh.filter(({ id }) => inserted.has(id));
  if (news.length > 0) {
    await markLeads(ctx.db, [...new Set(news.map(({ entityId }) => entityId))]);
    const names = [...new Set(news.flatMap(({ fields }) => Object.keys(fields)))];
    if (names.length > 0) await addColumns(ctx.db, list.id, names, contract.MOST_FIELDS);
  }
  const there = await leadsThere(
    ctx,
    list,
    fresh.filter(({ id }) => !inserted.has(id)),
  );
  return leads.map((lead) => {
    if (isFault(lead)) return lead;
    if (inserted.has(lead.id)) return { leadId: lead.id, entityId: lead.entityId, there: false };
    const leadId = there.get(lead.entityId) ?? there.get(lead.email ?? "") ?? null;
    return { leadId, entityId: lead.entityId, there: true };
  });
}

/** Finds the people that rows name and locks them; creates those that are new, with the list's source. A row finds who an earlier row created. */
async function peopleOf(ctx: Ctx, list: ListRow, rows: readonly Row[]): Promise<({ id: string } | Fault)[]> {
  const results = await record(
    ctx,
    rows.map((row): Report => {
      const { source } = list;
      if (row.entity_id !== undefined) return { about: { id: row.entity_id, only: ["person"] }, drafts: [], source };
      const about = { named: row.named, type: "person", create: true } as const;
      return { about, drafts: [], source, introduces: draftsOf(row, source) };
    }),
  );
  return results.map((one) => {
    if (!isFault(one)) return one.entity;
    return one.code === "entity_not_found" ? new Fault("entity_not_found") : one;
  });
}

const draftsOf = ({ name, company }: Row, source: string): Draft[] =>
  Object.entries({ ...namesIn(name ?? null), ...(company ? { company } : {}) }).map(([property, value]) => ({
    kind: "state",
    property,
    value,
    source,
    method: "observed",
    observedAt: null,
  }));

function leadOfRow(row: Row, entityId: string, person: KnownPerson | undefined): NewLead {
  const identifierOf = (kind: string) => row.named.find((item) => item.kind === kind)?.value ?? null;
  const { scorecard_score: givenScore = null, fields = {} } = row;
  const icp = person?.icpScore ?? null;
  return {
    id: newId(),
    entityId,
    email: identifierOf("email") ?? person?.email ?? null,
    name: row.name || (person?.name ?? null),
    company: row.company || (person?.company ?? null),
    linkedinUrl: identifierOf("linkedin_url") ?? person?.linkedinUrl ?? null,
    givenScore,
    score: givenScore ?? (icp === null ? null : icp / 100),
    fields: fieldsAfter({}, fields),
  };
}

/** The ids of leads that are in the list already, by person and by address. */
async function leadsThere(ctx: Ctx, list: ListRow, leads: readonly NewLead[]): Promise<Map<string, string>> {
  if (leads.length === 0) return new Map();
  const emails = leads.flatMap(({ email }) => email ?? []);
  const rows = await findThere(
    ctx.db,
    list.id,
    leads.map(({ entityId }) => entityId),
    emails,
  );
  const byEmail = rows.map(({ id, email }): [string, string] => [email ?? "", id]);
  return new Map([...byEmail, ...rows.map(({ id, entityId }): [string, string] => [entityId, id])]);
}
