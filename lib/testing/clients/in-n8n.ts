/**
 * Runs the nodes of `clients/n8n` against a server: `node in-n8n.ts <folder of the nodes> <url> <key>`, and prints what it learned
 * as JSON. Where n8n itself has a part in it (expressions, routing, what hooks are called with), this does what n8n documents.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Webhook } from "standardwebhooks";

const [folder = "", url = "", apiKey = ""] = process.argv.slice(2);
const learned: Record<string, unknown> = {};

const load = (file: string) => import(pathToFileURL(path.join(folder, file)).href);
const { RapportApi } = await load("credentials/RapportApi.credentials.ts");
const { Rapport } = await load("nodes/Rapport/Rapport.node.ts");
const { RapportTrigger } = await load("nodes/RapportTrigger/RapportTrigger.node.ts");

type Values = Record<string, unknown>;
type Property = {
  name: string;
  options?: (Property & { value: string; routing: Routing })[];
  displayOptions?: { show: Record<string, string[]> };
  routing?: Routing;
};
type Routing = {
  request: { method: string; url: string };
  send: { type: "query" | "body"; property: string; value?: string };
  output?: { postReceive: [{ properties: { property: string } }] };
};
type HttpRequest = { method: string; url: string; body?: unknown };

const credentials = { url, apiKey };

/** The value of a text that may be an expression. */
function evaluated(text: string, names: Values): unknown {
  if (!text.startsWith("=")) return text;
  const evaluate = (code: string) =>
    new Function(...Object.keys(names), `return (${code})`)(...Object.values(names)) as unknown;
  const [, whole] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text) ?? [];
  if (whole !== undefined) return evaluate(whole);
  return text.slice(1).replaceAll(/\{\{(.*?)\}\}/g, (_, code: string) => String(evaluate(code)));
}

async function ask({ method, url: address, body }: HttpRequest): Promise<unknown> {
  const { headers } = new RapportApi().authenticate.properties as { headers: Record<string, string> };
  const sent = Object.entries(headers).map(([name, value]) => [
    name,
    String(evaluated(value, { $credentials: credentials })),
  ]);
  const response = await fetch(address, {
    method,
    headers: { ...Object.fromEntries(sent), "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${address}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** What a workflow gets from one run of the node with these parameters. */
async function run(resource: string, operation: string, required: Values, additional: Values = {}): Promise<unknown> {
  const chosen: Values = { resource, operation };
  const all = new Rapport().description.properties as Property[];
  const shown = all.filter(({ displayOptions }) =>
    Object.entries(displayOptions?.show ?? {}).every(([name, values]) => values.includes(String(chosen[name]))),
  );
  const option = shown.find(({ name }) => name === "operation")?.options?.find(({ value }) => value === operation);
  if (!option) throw new Error(`There is no action ${operation}.`);
  const more = shown.find(({ name }) => name === "additionalFields")?.options ?? [];
  const sent: Record<"query" | "body", Values> = { query: {}, body: {} };
  for (const [fields, values] of [
    [shown, required],
    [more, additional],
  ] as const)
    for (const [name, value] of Object.entries(values)) {
      const field = fields.find((one) => one.name === name);
      if (!field) throw new Error(`${operation} has no field ${name}.`);
      const { send } = field.routing ?? {};
      if (send) sent[send.type][send.property] = send.value ? evaluated(send.value, { $value: value }) : value;
    }
  const { request, output } = option.routing;
  const address = new URL(url + String(evaluated(request.url, { $parameter: required })));
  for (const [name, value] of Object.entries(sent.query)) address.searchParams.set(name, String(value));
  const body = request.method === "GET" ? {} : { body: sent.body };
  const answer = await ask({ method: request.method, url: address.href, ...body });
  return output ? (answer as Values)[output.postReceive[0].properties.property] : answer;
}

await ask({ method: "GET", url: url + new RapportApi().test.request.url });
await run("Person", "upsertPerson", {}, { email: "anna@acme.com", first_name: "Anna" });
await run("Contact", "capture", { type: "meeting_held" }, { email: "anna@acme.com" });
const observations = '[{"kind": "state", "property": "job_title", "value": "VP Sales"}]';
await run("Contact", "recordObservations", { focus: "anna@acme.com", observations });
const people = (await run("Person", "listPeople", {}, { limit: 10, pipeline_stage: "evaluating" })) as Values[];
learned.people = people.map(({ email, job_title }) => [email, job_title]);
const account = (await run("Contact", "getAccount", { focus: "anna@acme.com" })) as { claims: Record<string, Values> };
learned.account = account.claims.job_title?.value;
const added = (await run("Task", "createTask", { title: "Send the offer" }, { due: "tomorrow" })) as { task: Values };
const done = (await run("Task", "updateTask", { id: added.task.id }, { done: true })) as { task: Values };
learned.done = done.task.done;

/** What hooks of the trigger are called with. */
const kept: Values = {};
const from = (parameters: Values) => ({
  getCredentials: async () => credentials,
  helpers: {
    httpRequestWithAuthentication: (_: string, asked: HttpRequest) => ask(asked),
    returnJsonArray: (json: object) => [{ json }],
  },
  getNodeParameter: (name: string) => parameters[name],
  getNodeWebhookUrl: () => "https://hooks.example.com/webhook/1",
  getWorkflow: () => ({ name: "Replies" }),
  getWorkflowStaticData: () => kept,
});
const { methods, webhookMethods, webhook } = new RapportTrigger();
const { checkExists, create, delete: remove } = webhookMethods.default;
const offered = await methods.loadOptions.getEvents.call(from({}));
learned.offered = offered.some(({ value }: { value: string }) => value === "stage.advanced");
const hook = from({ events: ["stage.advanced"] });
const before = await checkExists.call(hook);
await create.call(hook);
for (const name of Object.keys(kept)) delete kept[name]; // as when the workflow was copied, and its trigger is left over
await create.call(hook);
learned.exists = [before, await checkExists.call(hook)];

const body = Buffer.from('{"type":"stage.advanced","data":{"entity_name":"Zoë"}}');
const now = new Date();
const signature = new Webhook(kept.secret as string).sign("evt_1", now, body);
const headers = { "webhook-id": "evt_1", "webhook-timestamp": String(Math.floor(now.getTime() / 1000)) };
const receive = async (sent: Record<string, string>) => {
  const codes = [200];
  const response = { status: (code: number) => ({ json: () => codes.unshift(code) }) };
  const answer = await webhook.call({
    ...hook,
    getRequestObject: () => ({ rawBody: body }),
    getHeaderData: () => sent,
    getBodyData: () => JSON.parse(body.toString()),
    getResponseObject: () => response,
  });
  return [codes[0], answer.workflowData?.[0]?.[0]?.json.data.entity_name ?? null];
};
learned.signed = await receive({ ...headers, "webhook-signature": signature });
learned.forged = await receive({ ...headers, "webhook-signature": signature.replace(/.{3}$/, "AA=") });
await remove.call(hook);
learned.removed = !(await checkExists.call(hook)) && Object.keys(kept).length === 0;
console.log(JSON.stringify(learned));
