/**
 * Loaded into the app under test before anything of it (`node --import`). Makes single requests fail at an await of their
 * choice, ends database connections when told, and says in the answer what was done to that very request.
 *
 * Statements end after two seconds instead of thirty. A request names its plan in a header, `x-torture: fault 7` (an error at its 7th await), `refusal 3` (a 4xx there) or
 * `branch 2` (a branch more, which fails at once, in its 2nd list of branches). The answer's `x-torture-hit` says what
 * happened; a request without it was left alone, so its 5xx is the app's own.
 */
import { Server, type ServerResponse } from "node:http";
import { registerHooks } from "node:module";
import pg from "pg";
import { chanceOf } from "./chance.ts";
import { insertSteps, isTransformed } from "./steps.ts";
import { type Blow, current, STATEMENT_MS, strike, type Work, watchPools } from "./strikes.ts";
import "./under-way.ts";

type Request = Work & { kind: string; left: number };

const requestNow = () => current.getStore() as Request | undefined;

async function injected(request: Request): Promise<Error> {
  request.hit = request.kind;
  if (request.kind !== "refusal") return new Error("the harness makes this request fail");
  const { Fault } = await import("#lib/core/errors.ts");
  return new Fault("invalid_type");
}

const isDue = (kinds: readonly string[]): Request | null => {
  const request = requestNow();
  if (!request || request.hit || !kinds.includes(request.kind)) return null;
  request.left--;
  return request.left === 0 ? request : null;
};

Object.assign(globalThis, {
  /** Wraps what an `await` waits for: the failure comes once that has settled, as if from the rule that follows. */
  async tortureStep(awaited: unknown) {
    const value = await awaited;
    const request = isDue(["fault", "refusal"]);
    if (request) throw await injected(request);
    return value;
  },
  /** Wraps the list of `together` or `Promise.all`: an extra branch fails while the others are under way. */
  tortureBranches(branches: unknown) {
    const request = Array.isArray(branches) ? isDue(["branch"]) : null;
    return request ? [...(branches as unknown[]), injected(request).then((error) => Promise.reject(error))] : branches;
  },
});

/** Statements that wait for a lock of the harness run into their timeout, as they would after half a minute. */
function withShortTimeout(text: string): string {
  const usual = "const STATEMENT_MS = 30_000;";
  if (!text.includes(usual)) throw new Error(`lib/db/pool.ts does not say ${usual}`);
  return text.replace(usual, `const STATEMENT_MS = ${STATEMENT_MS};`);
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!loaded.source) return loaded;
    const text = () => Buffer.from(loaded.source as Uint8Array).toString();
    if (url.endsWith("/lib/db/pool.ts")) return { ...loaded, source: withShortTimeout(text()) };
    return isTransformed(url) ? { ...loaded, source: insertSteps(text()) } : loaded;
  },
});

const emit = Server.prototype.emit as (this: Server, event: string, ...given: unknown[]) => boolean;
Server.prototype.emit = function (this: Server, event: string, ...given: unknown[]) {
  if (event !== "request") return emit.call(this, event, ...given);
  const [request, response] = given as [{ headers: Record<string, string | undefined> }, ServerResponse];
  const [kind = "", left = "0"] = (request.headers["x-torture"] ?? "").split(" ");
  const work: Request = { kind, left: Number(left), hit: null };
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    if (work.hit) response.setHeader("x-torture-hit", work.hit);
    return writeHead(...args);
  };
  return current.run(work, () => emit.call(this, event, ...given));
} as Server["emit"];

watchPools();
process.on("unhandledRejection", (error) => process.send?.({ unhandled: String((error as Error)?.stack ?? error) }));

let admin: Promise<pg.Client> | null = null;
const connected = () => {
  const client = new pg.Client({ connectionString: process.env.TORTURE_ADMIN_URL, application_name: "torture" });
  return client.connect().then(() => client);
};
process.on("message", async ({ blow, seed }: { blow?: Blow; seed: number }) => {
  if (!blow) return;
  admin ??= connected();
  const chance = chanceOf(seed);
  const done = await strike(await admin, blow, (count) => chance.int(0, count - 1));
  process.send?.({ struck: done ? blow : null });
});
// The channel to the harness must not keep the app alive once it was told to stop.
process.channel?.unref();
