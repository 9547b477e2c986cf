/**
 * The two tools that ChatGPT connectors and deep research require, with the names and shapes they require: `search` gives
 * ids, titles and addresses, `fetch` the text of one. Both read through operations, with the caller's rights.
 */
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import type { Contract } from "#lib/core/operation.ts";
import { together } from "#lib/core/together.ts";
import { listCompanies, listPeople } from "#lib/domain/crm/people/service.ts";
import { getAccount } from "#lib/domain/knowledge/contacts/service.ts";
import { getThread } from "#lib/domain/knowledge/messages/service.ts";
import { noteTypes } from "#lib/domain/knowledge/notes/contract.ts";
import { getNote } from "#lib/domain/knowledge/notes/service.ts";
import { searchNotes } from "#lib/domain/knowledge/search/service.ts";
import { isWithin } from "#lib/domain/reach.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { line, outside } from "#lib/text/marks.ts";
import { threadText } from "./text/answers.ts";
import { accountText } from "./text/context.ts";

type SearchResult = { id: string; title: string; url: string };
/** What a tool gives: JSON, and the same as text for a model. */
export type ConnectorResult = { structured: Record<string, unknown>; text: string };

const MOST_CONTACTS = 5;
const MOST_NOTES = 8;
const MOST_WORDS = 3;

/** Where people open a record, or a note on it. */
const pageOf = (origin: string, { workspaceId }: Caller, entityId: string, place?: Record<string, string>): string =>
  `${origin}/${workspaceId}/accounts/${entityId}${place ? `?${new URLSearchParams(place)}` : ""}`;

/** These clients read the text, as JSON. */
const asJson = (structured: Record<string, unknown>): ConnectorResult => ({
  structured,
  text: JSON.stringify(structured),
});

const required = (input: Record<string, unknown>, parameter: string): string => {
  const [unknown] = Object.keys(input).filter((name) => name !== parameter);
  if (unknown !== undefined) {
    const extras = { parameter: unknown, supported: [parameter] };
    throw new Fault("unknown_parameter", extras, `${unknown} is not a parameter of this tool.`);
  }
  const value = input[parameter];
  if (typeof value === "string" && value.trim() !== "" && value.length <= 500) return value.trim();
  throw new Fault("invalid_parameter", { parameter }, `${parameter}: give a text of 1 to 500 characters.`);
};

/** Words of a question that may name someone: an address, a domain, or a word with a capital. */
const namesIn = (question: string): string[] =>
  question
    .split(/[\s,;:!?()"“”]+/)
    .filter((word) => word.length > 2 && (/^\p{Lu}/u.test(word) || /[@.]\w/.test(word)))
    .slice(-MOST_WORDS);

async function contacts(caller: Caller, search: string): Promise<{ id: string; title: string }[]> {
  const [{ people }, { companies }] = await together([
    listPeople.execute(caller, { search, limit: MOST_CONTACTS }),
    listCompanies.execute(caller, { search, limit: MOST_CONTACTS }),
  ]);
  return [
    ...people.map(({ id, first_name, last_name, email, linkedin_url, job_title, company }) => {
      const name = nameOf({ firstName: first_name, lastName: last_name, email, linkedinUrl: linkedin_url });
      return { id, title: [name, job_title, company].filter(Boolean).join(", ") };
    }),
    ...companies.map(({ id, name, domain }) => ({ id, title: nameOf({ name, domain }) })),
  ];
}

async function search(caller: Caller, input: Record<string, unknown>, origin: string): Promise<ConnectorResult> {
  const question = required(input, "query");
  const whole = await contacts(caller, question.slice(0, 200));
  const named =
    whole.length > 0 ? whole : (await together(namesIn(question).map((name) => contacts(caller, name)))).flat();
  const readsMail = caller.limits === undefined || isWithin(getThread.contract, caller.limits);
  const { documents } = await searchNotes.execute(caller, {
    ...{ question, limit: MOST_NOTES },
    ...(readsMail ? { types: [...noteTypes, "email"] } : {}),
  });
  const results = new Map<string, SearchResult>();
  for (const { id, title } of named)
    results.set(id, { id: `contact:${id}`, title: line(title, 200), url: pageOf(origin, caller, id) });
  for (const { id, title, type, entity_id, thread_id: thread } of documents)
    results.set(thread ?? id, {
      ...{ id: thread ? `thread:${thread}` : `note:${id}`, title: line(title ?? type, 200) },
      url: pageOf(origin, caller, entity_id, thread ? { tab: "mail", thread } : { tab: "notes", note: id }),
    });
  return asJson({ results: [...results.values()] });
}

async function fetchOne(caller: Caller, input: Record<string, unknown>, origin: string): Promise<ConnectorResult> {
  const asked = required(input, "id");
  const [, kind, id = ""] = /^(contact|note|thread):(.+)$/.exec(asked) ?? [undefined, "contact", asked];
  if (!isUuid(id))
    throw new Fault("invalid_parameter", { parameter: "id" }, "id: give an id from search, such as note:<uuid>.");
  if (kind === "note") {
    const { note, entity_id } = await getNote.execute(caller, { id });
    const { title, doc_type, date } = note.metadata;
    return asJson({
      id: `note:${id}`,
      title: line(title ?? doc_type, 200),
      text: outside(note.content),
      url: pageOf(origin, caller, entity_id, { tab: "notes", note: id }),
      metadata: { type: doc_type, date, contact: `contact:${entity_id}` },
    });
  }
  if (kind === "thread") {
    const answer = await getThread.execute(caller, { id });
    const { subject, last_at, contacts: them } = answer.thread;
    const [about] = them;
    return asJson({
      id: `thread:${id}`,
      title: line(subject ?? "Mail", 200),
      text: threadText(answer),
      url: about ? pageOf(origin, caller, about.entity_id, { tab: "mail", thread: id }) : origin,
      metadata: { type: "email", date: last_at, ...(about ? { contact: `contact:${about.entity_id}` } : {}) },
    });
  }
  const account = await getAccount.execute(caller, { focus: id });
  if ("candidates" in account) throw new Fault("entity_not_found");
  return asJson({
    id: `contact:${account.entity_id}`,
    title: line(account.name, 200),
    text: accountText(account),
    url: pageOf(origin, caller, account.entity_id),
    metadata: { type: account.type, status: account.status },
  });
}

const oneText = (name: string, description: string) => ({
  type: "object" as const,
  properties: { [name]: { type: "string", description } },
  required: [name],
  additionalProperties: false,
});

const reaches = [listPeople, listCompanies, searchNotes, getNote, getAccount].map(
  ({ contract }) => contract as Contract,
);

export const connectors = [
  {
    name: "search",
    description: "Find people, companies, notes and mail by words. Gives ids for fetch.",
    inputSchema: oneText("query", "A name, address, domain or question."),
    reaches,
    call: search,
  },
  {
    name: "fetch",
    description: "Read a result of search in full.",
    inputSchema: oneText("id", "An id from search."),
    reaches,
    call: fetchOne,
  },
];
