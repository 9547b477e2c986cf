/** A server that behaves as HubSpot's API of objects, version 2026-09, documents, with contacts, notes and meetings. */
import unauthorized from "#lib/testing/samples/crm/hubspot.error.401.json" with { type: "json" };
import { type Answer, type ReceivedRequest, StandIn } from "./stand-in.fixture.ts";

type Contact = { id: string; properties: Record<string, string>; merged: string[] };
type Entry = { id: string; type: "notes" | "meetings"; contact: string; properties: Record<string, string> };
type Input = { id: string; objectWriteTraceId?: string; idProperty?: string; properties?: Record<string, string> };

const OBJECTS = "/crm/objects/2026-09";
const at = "2026-11-20T15:00:00.000Z";

export class HubSpotStandIn extends StandIn {
  portalId = 146425426;
  readonly contacts: Contact[] = [];
  readonly entries: Entry[] = [];
  readonly properties = new Set<string>();
  /** the search does not know its contacts yet */
  searchLags = false;
  /** e-mail addresses that it refuses, with its reason */
  readonly refused = new Map<string, string>();
  /** its administrators' rules, by the e-mail address of the contact that breaks them: a batch with such a contact is refused as a whole */
  readonly rules = new Map<string, { name: string; message: string; error: string }[]>();
  #last = 511;

  contact(properties: Record<string, string>): Contact {
    const contact = { id: String(++this.#last), properties: { ...properties }, merged: [] };
    this.contacts.push(contact);
    return contact;
  }

  /** The contact with this address. */
  of(email: string): Contact | undefined {
    return this.contacts.find(({ properties }) => properties.email === email);
  }

  /** Bodies of the notes and meetings of a contact. */
  entriesOf(email: string): string[] {
    const id = this.of(email)?.id;
    return this.entries
      .filter(({ contact }) => contact === id)
      .map(({ properties }) => `${properties.hs_note_body ?? ""}${properties.hs_meeting_title ?? ""}`);
  }

  protected unknownToken(): Answer {
    return unauthorized;
  }

  protected answer(received: ReceivedRequest): Answer {
    const { method, path, query, body } = received;
    const inputs = (body?.inputs ?? []) as Input[];
    if (path === "/account-info/v3/details") return ok({ portalId: this.portalId, uiDomain: "app.hubspot.com" });
    const property = /^\/crm\/properties\/2026-09\/contacts(?:\/(.+))?$/.exec(path);
    if (property) return this.#property(method, property[1] ?? String(body?.name));
    if (path === `${OBJECTS}/contacts/search`) return this.#search(body);
    if (path === `${OBJECTS}/contacts` && method === "GET")
      return this.#list(Number(query.after ?? 0), Number(query.limit));
    if (path === `${OBJECTS}/contacts/batch/read`) return this.#read(inputs);
    if (path === `${OBJECTS}/contacts/batch/update` || path === `${OBJECTS}/contacts/batch/upsert`)
      return this.#write(inputs, path.endsWith("upsert"));
    const one = new RegExp(`^${OBJECTS}/contacts/([^/]+)$`).exec(path);
    if (one && method === "GET") return this.#associations(one[1] as string, query.associations as Entry["type"]);
    const entries = new RegExp(`^${OBJECTS}/(notes|meetings)(/batch/read)?$`).exec(path);
    if (entries?.[2]) return ok({ results: this.entries.filter(({ id }) => inputs.some((input) => input.id === id)) });
    if (entries) return this.#add(entries[1] as Entry["type"], body);
    return { status: 404, body: { status: "error", message: `no ${method} ${path}`, category: "OBJECT_NOT_FOUND" } };
  }

  #property(method: string, name: string): Answer {
    if (method === "GET") return this.properties.has(name) ? ok({ name }) : { status: 404, body: { status: "error" } };
    if (this.properties.has(name)) return { status: 409, body: { status: "error", message: "exists" } };
    this.properties.add(name);
    return { status: 201, body: { name } };
  }

  #search(body: ReceivedRequest["body"]): Answer {
    const [group] = (body?.filterGroups ?? []) as { filters: { values: string[] }[] }[];
    const values = group?.filters[0]?.values ?? [];
    const matches = this.searchLags
      ? []
      : this.contacts.filter(({ properties }) => values.includes(properties.email ?? ""));
    return ok({ total: matches.length, results: matches.map(wireOf) });
  }

  #list(after: number, limit: number): Answer {
    const results = this.contacts.slice(after, after + limit).map(wireOf);
    const next = after + results.length;
    return ok({ results, ...(next < this.contacts.length ? { paging: { next: { after: String(next) } } } : {}) });
  }

  #read(inputs: Input[]): Answer {
    const results = inputs.flatMap(({ id }) => this.#find(id) ?? []).map(wireOf);
    const missing = inputs.filter(({ id }) => !this.#find(id)).map(({ id }) => id);
    if (missing.length === 0) return ok({ status: "COMPLETE", results });
    const errors = [
      { status: "error", category: "OBJECT_NOT_FOUND", message: "Could not get some", context: { ids: missing } },
    ];
    return { status: 207, body: { status: "COMPLETE", results, numErrors: 1, errors } };
  }

  #find(id: string): Contact | undefined {
    return this.contacts.find((contact) => contact.id === id || contact.merged.includes(id));
  }

  #write(inputs: Input[], upsert: boolean): Answer {
    const broken = inputs.flatMap(({ properties }) => this.rules.get(properties?.email ?? "") ?? []);
    if (broken.length > 0) {
      const message = `Property values were not valid: ${JSON.stringify(broken.map((rule) => ({ isValid: false, ...rule })))}`;
      return { status: 400, body: { status: "error", message, category: "VALIDATION_ERROR" } };
    }
    const results: object[] = [];
    const errors: object[] = [];
    for (const { id, idProperty = "", properties = {}, objectWriteTraceId = "" } of inputs) {
      const email = properties.email;
      const unknown = Object.keys(properties).find((name) => name.startsWith("rapport_") && !this.properties.has(name));
      if (unknown) return { status: 400, body: { status: "error", message: `Property ${unknown} does not exist` } };
      const problem = email === undefined ? undefined : this.refused.get(email);
      const existing = upsert ? this.contacts.find((one) => one.properties[idProperty] === id) : this.#find(id);
      const taken =
        email === undefined
          ? undefined
          : this.contacts.find((one) => one !== existing && one.properties.email === email);
      const refuse = (category: string, message: string) =>
        errors.push({ status: "error", category, message, context: { objectWriteTraceId: [objectWriteTraceId] } });
      if (problem) refuse("VALIDATION_ERROR", problem);
      else if (taken) refuse("CONFLICT", `Contact already exists. Existing ID: ${taken.id}`);
      else if (!existing && !upsert) refuse("OBJECT_NOT_FOUND", "No object was found");
      else {
        const contact = existing ?? this.contact({ [idProperty]: id });
        Object.assign(contact.properties, properties);
        results.push({ ...wireOf(contact), new: existing === undefined });
      }
    }
    if (errors.length === 0) return ok({ status: "COMPLETE", results, startedAt: at, completedAt: at });
    return { status: 207, body: { status: "COMPLETE", results, numErrors: errors.length, errors } };
  }

  #associations(id: string, type: Entry["type"]): Answer {
    const contact = this.#find(id);
    if (!contact) return { status: 404, body: { status: "error", category: "OBJECT_NOT_FOUND", message: "not found" } };
    const results = this.entries
      .filter((one) => one.type === type && one.contact === id)
      .map((one) => ({ id: one.id }));
    return ok({ ...wireOf(contact), associations: results.length > 0 ? { [type]: { results } } : {} });
  }

  #add(type: Entry["type"], body: ReceivedRequest["body"]): Answer {
    const [link] = (body?.associations ?? []) as { to: { id: string } }[];
    const contact = link?.to.id ?? "";
    if (!this.#find(contact)) return { status: 400, body: { status: "error", message: "no such contact" } };
    const entry = {
      id: String(9001 + this.entries.length),
      type,
      contact,
      properties: body?.properties as Entry["properties"],
    };
    this.entries.push(entry);
    return { status: 201, body: { id: entry.id, properties: entry.properties, createdAt: at, archived: false } };
  }
}

const ok = (body: unknown): Answer => ({ status: 200, body });

const wireOf = ({ id, properties, merged }: Contact) => ({
  id,
  properties: { ...properties, ...(merged.length > 0 ? { hs_merged_object_ids: merged.join(";") } : {}) },
  createdAt: at,
  updatedAt: at,
  archived: false,
});
