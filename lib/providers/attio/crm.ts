import { z } from "zod";
import { withoutUndefined } from "#lib/core/json.ts";
import {
  type Crm,
  type CrmAdapter,
  type CrmContact,
  type CrmEntry,
  type CrmField,
  type CrmSession,
  type CrmValues,
  type CrmWrite,
  type CrmWriteResult,
  cutTo,
  referenceOf,
} from "../crm.ts";
import { ProviderFault } from "../request.ts";
import { ATTIO, ask } from "./calls.ts";

const PEOPLE = "/v2/objects/people/records";
const STAGE = "rapport_stage";
const PAGE = 100;
const MOST_TEXT = 60_000;

const fields = [
  "email",
  "first_name",
  "last_name",
  "job_title",
  "company_domain",
  "phone",
  "linkedin_url",
  "stage",
] as const satisfies readonly CrmField[];

const Value = z.looseObject({});
const Person = z.looseObject({
  id: z.looseObject({ record_id: z.string() }),
  web_url: z.string().nullish(),
  values: z.record(z.string(), z.array(Value)).nullish().catch(null),
});
const One = z.looseObject({ data: Person });
const Many = z.looseObject({ data: z.array(Person) });

/** Creates our attribute where it is missing. */
async function prepare(session: CrmSession): Promise<void> {
  const path = "/v2/objects/people/attributes";
  const attribute = await ask(session, "read", z.unknown(), { path: `${path}/${STAGE}`, accepts: [404] });
  if (attribute.status !== 404) return;
  const flags = { is_required: false, is_unique: false, is_multiselect: false };
  const about = { title: "Rapport stage", description: "How far the person is, from Rapport.", api_slug: STAGE };
  const body = { data: { ...about, type: "text", ...flags, config: {} } };
  await ask(session, "write", z.unknown(), { method: "POST", path, body, accepts: [409] }).catch((error: unknown) => {
    if (!(error instanceof ProviderFault) || error.trouble !== "refused") throw error;
    throw new ProviderFault(ATTIO, "refused", {
      status: error.status,
      reason: `it may not create the attribute ${STAGE} of people; give the token the scopes object configuration, records and notes (read and write)`,
    });
  });
}

async function findByEmail(session: CrmSession, emails: readonly string[]): Promise<CrmContact[]> {
  if (emails.length === 0) return [];
  const filter = { $or: emails.map((email) => ({ email_addresses: email })) };
  const call = { method: "POST", path: `${PEOPLE}/query`, body: { filter, limit: 500, offset: 0 } } as const;
  return (await ask(session, "search", Many, call)).data.data.map(contactOf);
}

async function listContacts(session: CrmSession, cursor: string): ReturnType<Crm["listContacts"]> {
  const offset = Number(cursor || 0);
  const sorts = [{ direction: "asc", attribute: "created_at" }];
  const call = { method: "POST", path: `${PEOPLE}/query`, body: { sorts, limit: PAGE, offset } } as const;
  const { data } = (await ask(session, "read", Many, call)).data;
  return { contacts: data.map(contactOf), next: data.length < PAGE ? null : String(offset + data.length) };
}

async function readContacts(session: CrmSession, ids: readonly string[]): Promise<Map<string, CrmContact>> {
  const contacts = new Map<string, CrmContact>();
  const Maybe = z.looseObject({ data: Person.nullish() });
  for (const id of ids) {
    const path = `${PEOPLE}/${encodeURIComponent(id)}`;
    const { status, data } = await ask(session, "read", Maybe, { path, accepts: [404] });
    if (status !== 404 && data.data) contacts.set(id, contactOf(data.data));
  }
  return contacts;
}

/** A new person is asserted by the address, so that a second try finds the first; a known one is changed by its id. */
async function writeContacts(session: CrmSession, writes: readonly CrmWrite[]): ReturnType<Crm["writeContacts"]> {
  const written = new Map<string, CrmWriteResult>();
  for (const { key, recordId, values } of writes) {
    const call = recordId
      ? ({ method: "PATCH", path: `${PEOPLE}/${encodeURIComponent(recordId)}` } as const)
      : ({ method: "PUT", path: PEOPLE, query: { matching_attribute: "email_addresses" } } as const);
    try {
      const { data } = await ask(session, "write", One, { ...call, body: { data: { values: wireOf(values) } } });
      const { recordId: id, url } = contactOf(data.data);
      written.set(key, { recordId: id, url, created: recordId === null });
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      if (error.trouble !== "rejected") return { written, fault: error };
      const problem = error.reason ?? `status ${error.status}`;
      written.set(key, { problem, gone: recordId !== null && error.status === 404 });
    }
  }
  return { written, fault: null };
}

const Note = z.looseObject({ id: z.looseObject({ note_id: z.string() }) });

/** Attio keeps activities as notes. */
async function addEntry(session: CrmSession, recordId: string, entry: CrmEntry): Promise<string> {
  const content = `${cutTo(entry.text, MOST_TEXT)}\n\n${referenceOf(entry)}`.trim();
  const about = { parent_object: "people", parent_record_id: recordId, title: entry.title.slice(0, 200) };
  const format = entry.kind === "note" ? "markdown" : "plaintext";
  const body = { data: { ...about, format, content, created_at: entry.at.toISOString() } };
  const { data } = await ask(session, "write", z.looseObject({ data: Note }), {
    method: "POST",
    path: "/v2/notes",
    body,
  });
  return data.data.id.note_id;
}

const Notes = z.looseObject({
  data: z.array(Note.extend({ content_plaintext: z.string().nullish(), content_markdown: z.string().nullish() })),
});
const NOTES_PAGE = 50;

async function findEntry(session: CrmSession, recordId: string, entry: CrmEntry): Promise<string | null> {
  for (let offset = 0; ; offset += NOTES_PAGE) {
    const query = {
      parent_object: "people",
      parent_record_id: recordId,
      limit: String(NOTES_PAGE),
      offset: String(offset),
    };
    const { data: notes } = (await ask(session, "read", Notes, { path: "/v2/notes", query })).data;
    const mine = notes.find(({ content_plaintext, content_markdown }) =>
      `${content_plaintext} ${content_markdown}`.includes(referenceOf(entry)),
    );
    if (mine) return mine.id.note_id;
    if (notes.length < NOTES_PAGE) return null;
  }
}

/** The first text among a person's values of an attribute. */
function first(values: z.output<typeof Person>["values"], attribute: string, name: string): string | undefined {
  const value = values?.[attribute]?.[0]?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function contactOf({ id, web_url, values }: z.output<typeof Person>): CrmContact {
  const emails = (values?.email_addresses ?? []).flatMap(({ email_address }) =>
    typeof email_address === "string" ? [email_address.toLowerCase()] : [],
  );
  // A company is only named by its id here: what it is called is not compared.
  const company = values?.company?.[0]?.target_record_id;
  const read: Record<string, string | undefined> = {
    email: emails[0],
    first_name: first(values, "name", "first_name"),
    last_name: first(values, "name", "last_name"),
    job_title: first(values, "job_title", "value"),
    company_domain: typeof company === "string" ? company : undefined,
    phone: first(values, "phone_numbers", "phone_number"),
    linkedin_url: first(values, "linkedin", "value"),
    stage: first(values, STAGE, "value"),
  };
  return { recordId: id.record_id, url: web_url ?? null, emails, values: withoutUndefined(read) as CrmValues };
}

/** Our values as Attio's; a name is always written whole. */
function wireOf(values: CrmValues): Record<string, unknown> {
  const { email, first_name = "", last_name = "", job_title, company_domain, phone, linkedin_url, stage } = values;
  const full_name = `${first_name} ${last_name}`.trim();
  return {
    ...(email ? { email_addresses: [email] } : {}),
    ...(full_name ? { name: [{ first_name, last_name, full_name }] } : {}),
    ...(job_title ? { job_title } : {}),
    ...(company_domain ? { company: [{ target_object: "companies", domains: [{ domain: company_domain }] }] } : {}),
    ...(phone ? { phone_numbers: [phone] } : {}),
    ...(linkedin_url ? { linkedin: linkedin_url } : {}),
    ...(stage ? { [STAGE]: stage } : {}),
  };
}

/** Attio allows 100 reads and 25 writes a second; this leaves room for others. */
export const attioCrm: CrmAdapter = {
  fields,
  groups: [["first_name", "last_name"]],
  batch: 25,
  pace: { read: 20, write: 60, search: 50 },
  open: (session) => ({
    prepare: () => prepare(session),
    findByEmail: (emails) => findByEmail(session, emails),
    listContacts: (cursor) => listContacts(session, cursor),
    readContacts: (ids) => readContacts(session, ids),
    writeContacts: (writes) => writeContacts(session, writes),
    addEntry: (recordId, entry) => addEntry(session, recordId, entry),
    findEntry: (recordId, entry) => findEntry(session, recordId, entry),
  }),
};
