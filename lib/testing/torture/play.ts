/** Clients of two tenants that send random requests to one app at the same time, and what may be answered to them. */
import { setTimeout as sleep } from "node:timers/promises";
import { isFault } from "#lib/core/errors.ts";
import { successStatus } from "#lib/core/operation.ts";
import { isUniqueViolation } from "#lib/db/transaction.ts";
import { database } from "../database.ts";
import { administer } from "../postgres.ts";
import { openWire, requestText } from "../socket.fixture.ts";
import { type App, placeIn } from "./app.ts";
import type { Chance } from "./chance.ts";
import type { Ledger } from "./ledger.ts";
import { drawRequest, type Request, type Tenant } from "./requests.ts";
import { sendOdd } from "./strangers.ts";
import { type Blow, STATEMENT_MS } from "./strikes.ts";
import type { Verdict } from "./verdict.ts";

/** What is known about a request's writes: `nothing` of it may be in the database, all of it must be, or either. */
type Effect = "nothing" | "all" | "unknown";

export type Play = {
  app: App;
  tenants: readonly Tenant[];
  ledger: Ledger;
  verdict: Verdict;
  /** by the request's number */
  effects: Map<number, { effect: Effect; what: string }>;
  /** how many send requests at the same time */
  clients?: number;
};

const CLIENTS = 12;
/** Work on a connection that is struck may be under way for this long after. */
const STRUCK_MS = 2_000;
/** No answer takes longer. */
const PATIENCE_MS = 30_000;

/** Plays until the time is up. With `strikes`, connections of the app are ended and cancelled meanwhile. */
export async function play(ms: number, chance: Chance, strikes: boolean, on: Play): Promise<void> {
  const end = performance.now() + ms;
  let struckAt = Number.NEGATIVE_INFINITY;
  let lockedAt = Number.NEGATIVE_INFINITY;
  // After the last one that was sent: what has a number of its own is not sent again under another request's.
  let number = Math.max(-1, ...on.effects.keys()) + 1;
  const client = async (own: Chance, tenant: Tenant) => {
    while (performance.now() < end && on.app.complaints().length === 0) {
      if (own.percent(8)) {
        await sendOdd({ app: on.app, tenant, chance: own, verdict: on.verdict });
        continue;
      }
      const request = await prepared(() => drawRequest(tenant, number++, own, on.app.url), on.verdict);
      if (!request) continue;
      const began = performance.now();
      const answered = await exchange(on.app.url, request);
      const meanwhile = { struck: struckAt > began - STRUCK_MS, locked: lockedAt > began };
      await judge(on, request, answered, meanwhile);
      if (request.idempotent && "status" in answered && answered.status < 300) await repeatAsOther(on, request);
    }
  };
  const striker = async (own: Chance) => {
    while (strikes && performance.now() < end) {
      await sleep(own.int(20, 400));
      if (own.percent(4)) {
        lockedAt = Number.POSITIVE_INFINITY;
        await holdTable(own.pick(lockedTables), on.verdict);
        lockedAt = performance.now();
      }
      struckAt = performance.now();
      on.app.strike(own.pick<Blow>(["terminate", "cancel"]), own.int(0, 2 ** 31));
      on.verdict.count("strikes");
    }
  };
  const clients = Array.from({ length: on.clients ?? CLIENTS }, (_, place) =>
    client(chance.fork(), on.tenants[place % on.tenants.length] as Tenant),
  );
  await Promise.all([...clients, striker(chance.fork())]);
}

/** Tables most operations touch. */
const lockedTables = ["people", "companies", "claims", "observations", "entities"] as const;

/** Keeps a table locked for longer than a statement of the app may wait. */
async function holdTable(table: string, verdict: Verdict): Promise<void> {
  await administer(database.adminUrl, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await sleep(STATEMENT_MS * 1.2);
    await client.query("COMMIT");
  });
  verdict.count("locked tables");
}

/**
 * Services run here too, to make an input; a refusal because of others' work ends the attempt, an error counts as a
 * fault.
 */
async function prepared(draw: () => Promise<Request>, verdict: Verdict): Promise<Request | null> {
  try {
    return await draw();
  } catch (error) {
    // The scenario itself stores a connection, as another is just doing.
    if (isFault(error) || isUniqueViolation(error, "connections_standing_key"))
      verdict.count("inputs not made for the work of others");
    else verdict.wrong("fault", `making an input: ${(error as Error).message} (${placeIn((error as Error).stack)})`);
    return null;
  }
}

type RequestAnswer =
  | { status: number; text: string; hit: string | null; id: string; replayed: boolean }
  | { gone: string };

/** Sends it as its plan says: a client that hangs up does not read the answer. */
async function exchange(url: string, { sent: { path, init }, plan }: Request): Promise<RequestAnswer> {
  if (plan.kind === "half a body" && typeof init.body === "string") {
    const wire = openWire(url);
    const headers = { ...init.headers, "content-length": String(Buffer.byteLength(init.body) + 1) };
    wire.write(requestText(`${init.method} ${path}`, headers, init.body));
    await sleep(plan.after);
    wire.destroy();
    return { gone: "before the end of the body" };
  }
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), plan.kind === "hang up" ? plan.after : PATIENCE_MS);
  try {
    const response = await fetch(url + path, { ...init, signal: gone.signal } as RequestInit);
    const text = await response.text();
    return {
      status: response.status,
      text,
      hit: response.headers.get("x-torture-hit"),
      id: response.headers.get("x-request-id") ?? "",
      replayed: response.headers.has("idempotency-replayed"),
    };
  } catch (error) {
    const { message, cause } = error as Error;
    return { gone: cause instanceof Error ? `${message}: ${cause.message}` : message };
  } finally {
    clearTimeout(timer);
  }
}

/** Refusals of valid input, caused by others who work in the same workspace at the same time. */
const others: Readonly<Record<string, readonly string[]>> = {
  // A fact that is saved without naming what it replaces replaces its section.
  ...Object.fromEntries(
    ["editEntry", "retireEntry", "confirmEntry"].map((name) => [name, ["fact_already_superseded"]]),
  ),
  // The job at the head of the list, which may have run meanwhile.
  retryJob: ["job_not_found"],
  // A new file discards those that wait.
  ...Object.fromEntries(
    ["patchImport", "previewImport", "runImport", "cancelImport", "undoImport"].map((name) => [
      name,
      ["import_not_possible"],
    ]),
  ),
  // After some minutes there are as many as there may be.
  saveView: ["too_many_views"],
  // A person was erased while the file came.
  createImport: ["too_many_imports", "invalid_file"],
  createExport: ["too_many_exports"],
  createBulkAction: ["too_many_bulk_actions"],
  undoBulkAction: ["bulk_action_not_possible"],
  createTrigger: ["too_many_triggers"],
  syncCrmNow: ["crm_sync_running"],
  // The connection was made again, with another secret, while the delivery was on its way.
  sendTestDelivery: ["invalid_signature", "test_not_received"],
};

const gathered = new Set(["capture", "captureBatch"]);

/** `struck`: a connection was ended or cancelled; `locked`: a table was held for longer than a statement waits. */
type Meanwhile = { struck: boolean; locked: boolean };

async function judge(
  on: Play,
  request: Request,
  answered: RequestAnswer,
  { struck, locked }: Meanwhile,
): Promise<void> {
  const { app, ledger, verdict, effects } = on;
  const { operation, tenant, plan, number, idempotent } = request;
  const { contract } = operation;
  verdict.count("requests");
  const keep = (effect: Effect) => effects.set(number, { effect, what: contract.name });
  if ("gone" in answered) {
    keep(answered.gone === "before the end of the body" ? "nothing" : "unknown");
    if (plan.kind === "hang up" || plan.kind === "half a body") verdict.count("hang-ups");
    else verdict.wrong("no answer", `${contract.name}: ${answered.gone}`);
    return;
  }
  const { status, text, hit, id } = answered;
  const what = `${contract.name} (${plan.kind}) answered ${status}`;
  const body = JSON.stringify(errorOf(text));
  const foreign = ledger.foreign(tenant.letter, text);
  if (foreign) verdict.wrong("crossing", `${what} to ${tenant.letter} with ${foreign}`);
  if (hit) verdict.count(`hit by ${hit}`);

  if (status >= 500) {
    keep(hit === "fault" || hit === "branch" ? "nothing" : "unknown");
    const why = await app.errorOf(id);
    const waited = status === 503 && locked;
    if (waited) verdict.count("answers that a locked table is in use");
    const excused = waited || (hit !== null && hit !== "refusal") || (struck && gathered.has(contract.name));
    const code = errorOf(text)?.error;
    if (!excused || code !== (status === 503 ? "not_ready" : "internal_error"))
      verdict.wrong("fault", `${what} ${code}: ${why}`);
    return;
  }
  keep(status >= 400 ? "nothing" : "all");
  if (status < 400) {
    if (status !== 204) check(operation, what, text, status, verdict);
    return;
  }
  if (hit || plan.kind === "wrong input") return;
  const code = errorOf(text)?.error ?? "";
  if (idempotent && code === "idempotency_key_in_use") return;
  if (others[contract.name]?.includes(code)) verdict.count("refusals for the work of others");
  else verdict.wrong(status === 404 ? "false 404" : "false refusal", `${what} ${body}`);
}

/** Another key of the workspace sends what was done, with the same Idempotency-Key: the kept answer is not for it. */
async function repeatAsOther({ app, verdict }: Play, request: Request): Promise<void> {
  const { tenant, operation, sent } = request;
  if (operation.contract.surface !== "public" || !sent.init.headers.authorization) return;
  const { "x-torture": _plan, ...headers } = sent.init.headers;
  const init = { ...sent.init, headers: { ...headers, authorization: `Bearer ${tenant.otherKey}` } };
  const answered = await exchange(app.url, { ...request, plan: { kind: "none" }, sent: { ...sent, init } });
  if (!("status" in answered)) return;
  verdict.count("keys of another caller");
  if (answered.replayed) verdict.wrong("crossing", `${operation.contract.name} repeated its answer to another caller`);
}

const errorOf = (text: string): { error?: string; message?: string } | null => {
  try {
    const { error, message } = JSON.parse(text) as { error?: string; message?: string };
    return { ...(error ? { error } : {}), ...(message ? { message } : {}) };
  } catch {
    return null;
  }
};

function check({ contract }: Request["operation"], what: string, text: string, status: number, verdict: Verdict): void {
  const output: unknown = JSON.parse(text);
  if (!contract.output.safeParse(output).success)
    verdict.wrong("fault", `${what} with what its contract does not promise`);
  else if (status !== successStatus(contract, output)) verdict.wrong("fault", `${what}, not as its contract says`);
}
