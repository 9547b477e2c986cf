/** Programs someone could write with a generated client. Each calls eleven operations and prints what it learned as JSON. */

const start = `
const [baseUrl = "", key = ""] = process.argv.slice(2);
const headers = { authorization: \`Bearer \${key}\` };
const learned: Record<string, unknown> = {};
const right = <T>(answer: { data?: T; error?: unknown }): NonNullable<T> => {
  if (answer.data === undefined || answer.data === null) throw new Error(JSON.stringify(answer.error));
  return answer.data;
};
`;

const end = "console.log(JSON.stringify(learned));";

/** With the types of openapi-typescript, by openapi-fetch. */
const withTypes = `import createClient from "openapi-fetch";
import type { components, paths } from "./rapport/schema.ts";
declare const process: { argv: string[] };
${start}
const api = createClient<paths>({ baseUrl, headers });

const created = right(await api.POST("/v2/people", { body: { email: "anna@acme.com", first_name: "Anna", seniority: "vp" } }));
const person: components["schemas"]["Person"] = created.person;
learned.created = created.created;

const bulk = right(await api.POST("/v2/people/bulk", { body: { people: [{ email: "bert@acme.com", seniority: "ic" }] } }));
learned.row = bulk.results[0]?.status;

const listed = right(await api.GET("/v2/people", { params: { query: { property: { seniority: "vp" }, limit: 10 } } }));
learned.found = listed.people.map(({ email }) => email);

const one = right(await api.GET("/v2/people/{focus}", { params: { path: { focus: "anna@acme.com" } } }));
learned.same = "person" in one && one.person.id === person.id;

const changed = right(
  await api.PATCH("/v2/people/{focus}", { params: { path: { focus: person.id } }, body: { job_title: "VP Sales" } }),
);
learned.title = changed.person.job_title;

const recorded = right(
  await api.POST("/v2/observations", {
    body: { focus: person.id, observations: [{ kind: "state", property: "budget", value: { eur: 40_000 } }] },
  }),
);
learned.recorded = recorded.recorded;

const account = right(await api.GET("/v2/accounts/{focus}", { params: { path: { focus: person.id } } }));
learned.budget = "claims" in account ? account.claims.budget?.value : null;

right(
  await api.POST("/v2/workspace/facts", {
    params: { header: { "Idempotency-Key": "one" } },
    body: { section: "ICP", content: "Series A fintechs" },
  }),
);
const facts = right(await api.GET("/v2/workspace/facts", { params: { query: { categories: ["ICP", "Market"] } } }));
learned.facts = facts.by_category;

const saved = right(await api.POST("/v2/notes", { body: { focus: person.id, content: "Anna wants SSO.", type: "note" } }));
learned.note = saved.doc_type;

const filters: components["schemas"]["PeopleFilters"] = {
  title: "CFO",
  company: { industry: "fintech", size: "gte:50" },
  property: { seniority: ["vp"] },
};
const exported = right(await api.POST("/v2/exports", { body: { what: "people", filters } }));
learned.exported = exported.export.what;

const refused = await api.POST("/v2/notes/search", { body: { question: " " } });
learned.refused = refused.error?.error;
${end}
`;

/** With the functions of @hey-api/openapi-ts. */
const withFunctions = `import { client } from "./sdk/client.gen.ts";
import * as api from "./sdk/index.ts";
declare const process: { argv: string[] };
${start}
client.setConfig({ baseUrl, auth: key });

const created = right(await api.upsertPerson({ body: { email: "anna@acme.com", first_name: "Anna", seniority: "vp" } }));
const person: api.Person = created.person;
learned.created = created.created;

const bulk = right(await api.upsertPeople({ body: { people: [{ email: "bert@acme.com", seniority: "ic" }] } }));
learned.row = bulk.results[0]?.status;

const listed = right(await api.listPeople({ query: { property: { seniority: "vp" }, limit: 10 } }));
learned.found = listed.people.map(({ email }) => email);

const one = right(await api.getPerson({ path: { focus: "anna@acme.com" } }));
learned.same = "person" in one && one.person.id === person.id;

const changed = right(await api.patchPerson({ path: { focus: person.id }, body: { job_title: "VP Sales" } }));
learned.title = changed.person.job_title;

const recorded = right(
  await api.recordObservations({
    body: { focus: person.id, observations: [{ kind: "state", property: "budget", value: { eur: 40_000 } }] },
  }),
);
learned.recorded = recorded.recorded;

const account = right(await api.getAccount({ path: { focus: person.id } }));
learned.budget = "claims" in account ? account.claims.budget?.value : null;

right(await api.saveFact({ headers: { "Idempotency-Key": "one" }, body: { section: "ICP", content: "Series A fintechs" } }));
const facts = right(await api.listFacts({ query: { categories: ["ICP", "Market"] } }));
learned.facts = facts.by_category;

const saved = right(await api.saveNote({ body: { focus: person.id, content: "Anna wants SSO.", type: "note" } }));
learned.note = saved.doc_type;

const filters: api.PeopleFilters = {
  title: "CFO",
  company: { industry: "fintech", size: "gte:50" },
  property: { seniority: ["vp"] },
};
const exported = right(await api.createExport({ body: { what: "people", filters } }));
learned.exported = exported.export.what;

const refused = await api.searchNotes({ body: { question: " " } });
learned.refused = refused.error?.error;
${end.replace("learned)", "{ ...learned, authenticated: headers.authorization.length > 10 })")}
`;

/** With our own client; the third argument is a key whose writes need approval. */
const withOurs = `import { createClient, RapportError } from "./rapport/index.ts";
declare const process: { argv: string[] };
const [url = "", key = "", careful = ""] = process.argv.slice(2);
const learned: Record<string, unknown> = {};
const sent = new Set<string>();
const rapport = createClient({
  url,
  key,
  client: "acme-outreach/1.4",
  fetch(request) {
    sent.add(request.headers.has("Idempotency-Key") ? \`\${request.method} with a key\` : request.method);
    return fetch(request);
  },
});
const refusal = async (call: Promise<unknown>): Promise<RapportError> => {
  const thrown: unknown = await call.then(() => undefined, (error: unknown) => error);
  if (thrown instanceof RapportError) return thrown;
  throw thrown ?? new Error("It was not refused.");
};

const people = ["anna", "bert", "carl", "dora", "emil"].map((name) => ({ email: \`\${name}@acme.com\` }));
const bulk = await rapport.post("/v2/people/bulk", { body: { people } });
learned.rows = bulk.results.map(({ status }) => status);

const emails: (string | null)[] = [];
for await (const { email } of rapport.each("/v2/people", "people", { params: { query: { limit: 2 } } })) emails.push(email);
learned.emails = emails.sort();
const sizes: number[] = [];
for await (const page of rapport.pages("/v2/people", { params: { query: { limit: 2 } } })) sizes.push(page.people.length);
learned.pages = sizes;

const note = {
  body: { focus: "anna@acme.com", content: "Anna wants SSO.", type: "note" },
  headers: { "Idempotency-Key": "call-1" },
} as const;
const [first, second] = [await rapport.post("/v2/notes", note), await rapport.post("/v2/notes", note)];
learned.same = first.note.id === second.note.id;
await rapport.post("/v2/notes/search", { body: { question: "SSO" } });

const { trigger } = await rapport.post("/v2/workspace/triggers", {
  body: { url: "https://hooks.example.com/rapport", events: ["stage.advanced"] },
});
const nothing: undefined = await rapport.delete("/v2/workspace/triggers/{id}", { params: { path: { id: trigger.id } } });
learned.nothing = nothing === undefined;

const unknown = await refusal(rapport.get("/v2/people/{focus}", { params: { path: { focus: "nobody@acme.com" } } }));
learned.refused = [unknown.status, unknown.code, unknown.requestId === unknown.body.request_id, unknown.message];
const waiting = await refusal(createClient({ url, key: careful }).post("/v2/tasks", { body: { title: "Call Anna" } }));
learned.waiting = [waiting.status, waiting.code, waiting.body.approval_id];
for (const email of ["kim@one.com", "kim@two.com"]) await rapport.post("/v2/people", { body: { email, first_name: "Kim", last_name: "Doe" } });
const timeline = rapport.each("/v2/accounts/{focus}/timeline", "events", { params: { path: { focus: "Kim Doe" } } });
const ambiguous = await refusal(timeline.next());
learned.ambiguous = [ambiguous.code, (ambiguous.body.candidates as unknown[]).length];
learned.elsewhere = (await refusal(createClient({ url: \`\${url}/docs/guide?\`, key }).get("/v2/people"))).code;
learned.sent = [...sent].sort();

// @ts-expect-error a field that there is not
export const misspelt = () => rapport.post("/v2/notes", { body: { focus: "anna@acme.com", text: "Anna wants SSO." } });
// @ts-expect-error an address without pages
export const single = () => rapport.pages("/v2/me");
// @ts-expect-error a parameter that is missing
export const whose = () => rapport.get("/v2/people/{focus}");
${end}
`;

export const callers = {
  "with-types.ts": withTypes,
  "with-functions.ts": withFunctions,
  "with-ours.ts": withOurs,
} as const;
