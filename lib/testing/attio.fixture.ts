/** A server that behaves as Attio's API v2 documents, with people, attributes and notes. */
import { randomUUID } from "node:crypto";
import invalid from "#lib/testing/samples/crm/attio.error.400.json" with { type: "json" };
import self from "#lib/testing/samples/crm/attio.self.response.200.json" with { type: "json" };
import inactive from "#lib/testing/samples/crm/attio.self_invalid_token.response.200.json" with { type: "json" };
import { type Answer, type ReceivedRequest, StandIn } from "./stand-in.fixture.ts";

type Values = Record<string, unknown>;
type Person = { id: string; emails: string[]; values: Values };
type Note = { id: string; person: string; title: string; content: string };

const PEOPLE = "/v2/objects/people/records";

export class AttioStandIn extends StandIn {
  readonly people: Person[] = [];
  readonly notes: Note[] = [];
  readonly attributes = new Set<string>();
  /** when its tokens end, in seconds; null: never */
  exp: number | null = null;

  person(email: string, values: Values = {}): Person {
    const person = { id: randomUUID(), emails: [email], values };
    this.people.push(person);
    return person;
  }

  of(email: string): Person | undefined {
    return this.people.find(({ emails }) => emails.includes(email));
  }

  protected unknownToken({ path }: ReceivedRequest): Answer {
    if (path === "/v2/self") return inactive;
    return {
      status: 401,
      body: { status_code: 401, type: "auth_error", code: "unauthorized", message: "Invalid access token" },
    };
  }

  protected answer({ method, path, query, body }: ReceivedRequest): Answer {
    const data = (body?.data ?? {}) as { values?: Values; api_slug?: string } & Record<string, string>;
    if (path === "/v2/self") return { status: 200, body: { ...self.body, exp: this.exp } };
    const attribute = /^\/v2\/objects\/people\/attributes(?:\/(.+))?$/.exec(path);
    if (attribute) {
      const slug = attribute[1] ?? String(data.api_slug);
      if (method === "GET") return this.attributes.has(slug) ? ok({ api_slug: slug }) : missing;
      this.attributes.add(slug);
      return ok({ api_slug: slug });
    }
    if (path === `${PEOPLE}/query`) return this.#query(body ?? {});
    if (path === PEOPLE && method === "PUT") return this.#assert(data.values ?? {});
    const id = path.startsWith(`${PEOPLE}/`) ? path.slice(PEOPLE.length + 1) : null;
    if (id) {
      const person = this.people.find((one) => one.id === id);
      if (!person) return missing;
      if (method === "PATCH") this.#change(person, data.values ?? {});
      return ok(wireOf(person));
    }
    if (path === "/v2/notes" && method === "POST") {
      const note = {
        id: randomUUID(),
        person: data.parent_record_id ?? "",
        title: data.title ?? "",
        content: data.content ?? "",
      };
      this.notes.push(note);
      return ok({ id: { note_id: note.id }, title: note.title });
    }
    if (path === "/v2/notes") {
      const own = this.notes.filter(({ person }) => person === query.parent_record_id);
      const page = own.slice(Number(query.offset), Number(query.offset) + Number(query.limit));
      return ok(page.map((note) => ({ id: { note_id: note.id }, content_plaintext: note.content })));
    }
    return missing;
  }

  #query(body: Values): Answer {
    const {
      filter,
      limit = 500,
      offset = 0,
    } = body as { filter?: { $or: { email_addresses: string }[] }; limit?: number; offset?: number };
    const wanted = filter?.$or.map(({ email_addresses }) => email_addresses);
    const matches = this.people.filter(({ emails }) => !wanted || emails.some((email) => wanted.includes(email)));
    return ok(matches.slice(offset, offset + limit).map(wireOf));
  }

  #assert(values: Values): Answer {
    const [email] = (values.email_addresses ?? []) as string[];
    if (!email || email.startsWith("refused")) return invalid;
    const person = this.of(email) ?? this.person(email);
    this.#change(person, values);
    return ok(wireOf(person));
  }

  #change(person: Person, { email_addresses, ...values }: Values): void {
    person.emails = [...new Set([...person.emails, ...((email_addresses ?? []) as string[])])];
    Object.assign(person.values, values);
  }
}

const ok = (data: unknown): Answer => ({ status: 200, body: { data } });
const missing: Answer = {
  status: 404,
  body: { status_code: 404, type: "invalid_request_error", code: "not_found", message: "not found" },
};

const wireOf = ({ id, emails, values }: Person) => ({
  id: { workspace_id: self.body.workspace_id, object_id: "people", record_id: id },
  created_at: "2026-11-20T15:00:00.000000000Z",
  web_url: `https://app.attio.com/example/person/${id}`,
  values: {
    ...Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value : [{ value }]]),
    ),
    email_addresses: emails.map((email_address) => ({ email_address, attribute_type: "email-address" })),
  },
});
