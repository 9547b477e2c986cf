/**
 * Connections of one tenant whose requests end early next to as many ordinary ones of the other, on the app as it is:
 * the answers to the ordinary ones must be their own, and complete.
 */
import type { App } from "./app.ts";
import type { Ledger } from "./ledger.ts";
import type { Tenant } from "./requests.ts";
import type { Verdict } from "./verdict.ts";

const CONNECTIONS = 32;

type Ask = { path: string; method?: "PATCH" | "POST"; body?: unknown };

/** Ordinary requests, reads and writes, and a text of the tenant's own that each answer must hold. */
const ordinary: readonly (Ask & { holds: (letter: string) => string })[] = [
  { path: "/v2/context", body: { focus: "anna@acme.com" }, holds: (letter) => `mark${letter}` },
  { path: "/v2/people/anna%40acme.com", method: "PATCH", body: { region: "DACH" }, holds: () => "anna@acme.com" },
  { path: "/v2/workspace/facts", holds: (letter) => `Series A fintechs mark${letter}` },
  { path: "/v2/people", body: { email: "anna@acme.com" }, holds: () => "anna@acme.com" },
  { path: "/v2/accounts/anna%40acme.com", holds: () => "anna@acme.com" },
  { path: "/v2/notes/search", body: { question: "What about SSO?" }, holds: (letter) => `mark${letter}` },
  { path: "/v2/notes?focus=anna%40acme.com", holds: (letter) => `Anna wants SSO mark${letter}` },
];

/** Requests of which one part fails while another is under way. */
const early: readonly Ask[] = [{ path: "/v2/context", body: { focus: "anna@" } }];

export type Beside = { app: App; early: Tenant; ordinary: Tenant; ledger: Ledger; verdict: Verdict };

export async function playBeside(ms: number, on: Beside): Promise<void> {
  const end = performance.now() + ms;
  const each = (one: (place: number) => Promise<void>) =>
    Array.from({ length: CONNECTIONS }, async () => {
      for (let place = 0; performance.now() < end; place++) await one(place);
    });
  await Promise.all([...each((place) => endEarly(place, on)), ...each((place) => askOrdinary(place, on))]);
}

async function endEarly(place: number, { app, early: tenant, ledger, verdict }: Beside): Promise<void> {
  const ask = early[place % early.length] as Ask;
  const { status, text } = await send(app.url, ask, tenant.key);
  verdict.count("that ended early");
  if (status >= 500 || status === 0) verdict.wrong("fault", `${ask.path}, early, answered ${status} ${text}`);
  const foreign = ledger.foreign(tenant.letter, text);
  if (foreign) verdict.wrong("crossing", `${ask.path} answered ${tenant.letter} with ${foreign}`);
}

async function askOrdinary(place: number, { app, ordinary: tenant, ledger, verdict }: Beside): Promise<void> {
  const { holds, ...ask } = ordinary[place % ordinary.length] as (typeof ordinary)[number];
  const { status, text } = await send(app.url, ask, tenant.key);
  verdict.count("ordinary");
  const foreign = ledger.foreign(tenant.letter, text);
  if (foreign) verdict.wrong("crossing", `${ask.path} answered ${tenant.letter} with ${foreign}`);
  else if (status === 404) verdict.wrong("false 404", `${ask.path} ${codeOf(text)}`);
  else if (status !== 200 && status !== 201) verdict.wrong("fault", `${ask.path} answered ${status} ${codeOf(text)}`);
  else if (!text.includes(holds(tenant.letter))) verdict.wrong("false 404", `${ask.path} does not hold what is there`);
}

const codeOf = (text: string): string => /"error":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 100);

async function send(
  url: string,
  { path, method = "POST", body }: Ask,
  key: string,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const more = body === undefined ? {} : { method, body: JSON.stringify(body) };
  try {
    const response = await fetch(url + path, { headers, ...more });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 0, text: String((error as Error).cause ?? error) };
  }
}
