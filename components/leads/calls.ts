import { callOperation } from "#components/api.ts";
import {
  changeLead as change,
  changeLeadList,
  createLead,
  createLeadList,
  createLeads,
  deleteLeadList,
  deleteLeads,
  listLeadLists,
  listLeads,
} from "#components/operations/leads.ts";
import type { Query, RecordPage } from "#components/records/list-kind.ts";
import type { Lead, LeadList } from "#lib/domain/crm/leads/contract.ts";

export type { Lead, LeadList, LeadStatus, ReplyOutcome } from "#lib/domain/crm/leads/contract.ts";

/** A lead as a row of a list: its fields are its properties. */
export type LeadRow = Lead & { properties: Lead["fields"] };

export type LeadChange = Partial<Pick<Lead, "status" | "reply_outcome" | "sent_at" | "replied_at">>;

export const rowOf = (lead: Lead): LeadRow => ({ ...lead, properties: lead.fields });

export async function leadsPage(workspaceId: string, query: Query, signal?: AbortSignal): Promise<RecordPage<LeadRow>> {
  const { leads, has_more, next_cursor, total } = await callOperation(
    listLeads,
    workspaceId,
    query,
    signal ? { signal } : {},
  );
  return { rows: leads.map(rowOf), has_more, next_cursor, total };
}

export const changeLead = async (workspaceId: string, id: string, wanted: LeadChange): Promise<LeadRow> =>
  rowOf((await callOperation(change, workspaceId, { id, ...wanted })).lead);

export const addLead = (workspaceId: string, listId: string, fields: Record<string, string>): Promise<{ lead: Lead }> =>
  callOperation(createLead, workspaceId, { list_id: listId, ...fields });

/** The people to add: these, or all that a list shows, which a job then does. */
export type PeopleToAdd = readonly string[] | ((listId: string) => Promise<void>);

/** As many as one call takes. */
const AT_ONCE = 1000;

const inParts = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, part) =>
    items.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );

/** Adds people to a list, and says how many were new in it, and as which leads. */
export async function addPeople(workspaceId: string, listId: string, personIds: readonly string[]) {
  const sum = { inserted: 0, skipped: 0, duplicate_skipped: 0, leadIds: [] as string[] };
  for (const part of inParts(personIds)) {
    const leads = part.map((entity_id) => ({ entity_id }));
    const done = await callOperation(createLeads, workspaceId, { list_id: listId, leads });
    for (const name of ["inserted", "skipped", "duplicate_skipped"] as const) sum[name] += done[name];
    for (const { status, lead_id } of done.results) if (status === "inserted" && lead_id) sum.leadIds.push(lead_id);
  }
  return sum;
}

export async function removeLeads(workspaceId: string, ids: readonly string[]): Promise<void> {
  for (const lead_ids of inParts(ids)) await callOperation(deleteLeads, workspaceId, { lead_ids });
}

export const createList = async (workspaceId: string, name: string): Promise<LeadList> =>
  (await callOperation(createLeadList, workspaceId, { name })).lead_list;

export const renameList = async (workspaceId: string, id: string, name: string): Promise<LeadList> =>
  (await callOperation(changeLeadList, workspaceId, { id, name })).lead_list;

export const deleteList = (workspaceId: string, id: string) => callOperation(deleteLeadList, workspaceId, { id });

export const listsPage = (workspaceId: string, cursor: string | null, signal?: AbortSignal) =>
  callOperation(listLeadLists, workspaceId, { limit: 100, ...(cursor ? { cursor } : {}) }, signal ? { signal } : {});

/** The lists that a person is in: their leads, newest first. */
export const leadsOfPerson = (workspaceId: string, entityId: string, signal: AbortSignal) =>
  callOperation(listLeads, workspaceId, { entity_id: entityId, limit: 20 }, { signal });
