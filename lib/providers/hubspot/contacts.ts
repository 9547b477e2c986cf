import { z } from "zod";
import type { Crm, CrmContact, CrmField, CrmSession, CrmValues, CrmWrite, CrmWriteResult } from "../crm.ts";
import { ProviderFault } from "../request.ts";
import { ask, Batch, Contact, HUBSPOT, OBJECTS, PROPERTIES, type Problem } from "./calls.ts";
import { refusalWords } from "./refusals.ts";

/** Properties of ours: the person's id, unique, so that a contact is never created twice; and the stage. */
const ID = "rapport_id";
const STAGE = "rapport_stage";

/** Our fields by the names HubSpot has for them. */
const names = {
  email: "email",
  first_name: "firstname",
  last_name: "lastname",
  job_title: "jobtitle",
  company: "company",
  phone: "phone",
  stage: STAGE,
} as const satisfies Partial<Record<CrmField, string>>;

export const fields = Object.keys(names) as (keyof typeof names)[];
const properties = Object.values(names);

const own = [
  { name: ID, label: "Rapport id", hasUniqueValue: true },
  { name: STAGE, label: "Rapport stage", hasUniqueValue: false },
];

/** Creates our properties where they are missing. */
export async function prepare(session: CrmSession): Promise<void> {
  for (const { name, label, hasUniqueValue } of own) {
    const path = `${PROPERTIES}/contacts`;
    const property = await ask(session, "read", z.unknown(), { path: `${path}/${name}`, accepts: [404] });
    if (property.status !== 404) continue;
    const body = { name, label, groupName: "contactinformation", type: "string", fieldType: "text", hasUniqueValue };
    await ask(session, "write", z.unknown(), { method: "POST", path, body, accepts: [409] }).catch(explain);
  }
}

function explain(error: unknown): never {
  if (error instanceof ProviderFault && error.trouble === "refused")
    throw new ProviderFault(HUBSPOT, "refused", {
      status: error.status,
      reason: `it may not create the contact properties ${ID} and ${STAGE}; give it the scopes crm.objects.contacts (read, write) and crm.schemas.contacts (read, write)`,
    });
  throw error;
}

const Found = z.looseObject({
  results: z.array(Contact),
  paging: z.looseObject({ next: z.looseObject({ after: z.string() }).nullish() }).nullish(),
});

export async function findByEmail(session: CrmSession, emails: readonly string[]): Promise<CrmContact[]> {
  if (emails.length === 0) return [];
  const filters = [{ propertyName: "email", operator: "IN", values: emails }];
  const body = { filterGroups: [{ filters }], properties: [...properties, "hs_additional_emails"], limit: 200 };
  const { data } = await ask(session, "search", Found, { method: "POST", path: `${OBJECTS}/contacts/search`, body });
  return data.results.map((contact) => contactOf(session, contact));
}

export async function listContacts(session: CrmSession, after: string): ReturnType<Crm["listContacts"]> {
  const query = {
    limit: "100",
    properties: [...properties, "hs_additional_emails"].join(","),
    ...(after ? { after } : {}),
  };
  const { data } = await ask(session, "read", Found, { path: `${OBJECTS}/contacts`, query });
  const next = data.paging?.next?.after ?? null;
  return {
    contacts: data.results.map((contact) => contactOf(session, contact)),
    next: next === after || data.results.length === 0 ? null : next, // a repeated cursor would loop forever
  };
}

export async function readContacts(session: CrmSession, ids: readonly string[]): Promise<Map<string, CrmContact>> {
  if (ids.length === 0) return new Map();
  const body = { properties: [...properties, "hs_merged_object_ids"], inputs: ids.map((id) => ({ id })) };
  const path = `${OBJECTS}/contacts/batch/read`;
  const { data } = await ask(session, "read", Batch, { method: "POST", path, body, accepts: [404] });
  const contacts = new Map<string, CrmContact>();
  for (const contact of data.results) {
    // A record that was merged is answered with the one that it became.
    const merged = textOf(contact.properties?.hs_merged_object_ids)?.split(";") ?? [];
    for (const id of [contact.id, ...merged]) if (ids.includes(id)) contacts.set(id, contactOf(session, contact));
  }
  return contacts;
}

/** Changes the known records, and creates the others by our own unique property. */
export async function writeContacts(
  session: CrmSession,
  writes: readonly CrmWrite[],
): ReturnType<Crm["writeContacts"]> {
  const written = new Map<string, CrmWriteResult>();
  try {
    await writeBatch(
      session,
      writes.filter(({ recordId }) => recordId !== null),
      "update",
      written,
    );
    await writeBatch(
      session,
      writes.filter(({ recordId }) => recordId === null),
      "upsert",
      written,
    );
    return { written, fault: null };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return { written, fault: error };
  }
}

async function writeBatch(
  session: CrmSession,
  writes: readonly CrmWrite[],
  how: "update" | "upsert",
  written: Map<string, CrmWriteResult>,
): Promise<void> {
  if (writes.length === 0) return;
  const inputs = writes.map(({ key, recordId, values }) => ({
    ...(how === "update" ? { id: recordId } : { id: key, idProperty: ID }),
    objectWriteTraceId: key,
    properties: { [ID]: key, ...propertiesOf(values) },
  }));
  try {
    const path = `${OBJECTS}/contacts/batch/${how}`;
    const { data } = await ask(session, "write", Batch, { method: "POST", path, body: { inputs } });
    for (const [key, outcome] of readBatch(session, writes, data)) written.set(key, outcome);
  } catch (error) {
    if (!(error instanceof ProviderFault) || error.trouble !== "rejected") throw error;
    if (writes.length === 1) {
      const [{ key }] = writes as [CrmWrite];
      written.set(key, refusedOf(error.reason ?? `status ${error.status}`, error.status === 404));
      return;
    }
    // The whole batch was refused for the sake of some rows: halving finds them, and the others go through.
    const half = Math.ceil(writes.length / 2);
    await writeBatch(session, writes.slice(0, half), how, written);
    await writeBatch(session, writes.slice(half), how, written);
  }
}

/** What a batch answered, for each write of it. */
function readBatch(
  session: CrmSession,
  writes: readonly CrmWrite[],
  { results, errors }: z.output<typeof Batch>,
): Map<string, CrmWriteResult> {
  const outcomes = new Map<string, CrmWriteResult>();
  const whole = results.length === writes.length;
  for (const [index, result] of results.entries()) {
    const write = writeOf(writes, result) ?? (whole ? writes[index] : undefined);
    if (!write) continue;
    const created = write.recordId === null && result.new === true;
    outcomes.set(write.key, { recordId: result.id, url: urlOf(session, result.id), created });
  }
  for (const { key, recordId } of writes) {
    if (outcomes.has(key)) continue;
    const named = (errors ?? []).find((error) => isAbout(error, key, recordId));
    const problem = named ?? (errors ?? []).find(({ context }) => !context?.objectWriteTraceId && !context?.ids);
    const gone = /OBJECT_NOT_FOUND|not.?found/i.test(`${problem?.category} ${problem?.message}`);
    outcomes.set(key, refusedOf((problem && refusalWords(problem)) ?? "it did not say what happened to it", gone));
  }
  return outcomes;
}

function writeOf(
  writes: readonly CrmWrite[],
  { id, objectWriteTraceId, properties: said }: Contact,
): CrmWrite | undefined {
  const key = objectWriteTraceId ?? textOf(said?.[ID]);
  const email = textOf(said?.email)?.toLowerCase();
  return (
    writes.find((write) => write.key === key) ??
    writes.find(({ recordId }) => recordId === id) ??
    writes.find(({ values }) => email !== undefined && values.email === email)
  );
}

const isAbout = ({ context }: Problem, key: string, recordId: string | null): boolean =>
  [...(context?.objectWriteTraceId ?? []), ...(context?.ids ?? []), ...(context?.id ?? [])].some(
    (named) => named === key || named === recordId,
  );

function refusedOf(reason: string, gone: boolean): CrmWriteResult {
  const existing = /Existing ID: (\d+)/i.exec(reason)?.[1];
  return existing ? { existing } : { problem: reason, gone };
}

function contactOf(session: CrmSession, { id, properties: said }: Contact): CrmContact {
  const more = textOf(said?.hs_additional_emails)?.split(";") ?? [];
  const emails = [textOf(said?.email), ...more].flatMap((email) => email?.trim().toLowerCase() || []);
  const values = Object.entries(names).flatMap(([field, name]) => {
    const text = textOf(said?.[name]);
    return text ? [[field, text] as const] : [];
  });
  return { recordId: id, url: urlOf(session, id), emails, values: Object.fromEntries(values) };
}

const propertiesOf = (values: CrmValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const value = values[field as CrmField];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const urlOf = ({ portal }: CrmSession, id: string): string | null =>
  portal ? `https://app.hubspot.com/contacts/${portal}/record/0-1/${id}` : null;

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
