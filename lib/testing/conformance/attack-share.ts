/**
 * Every operation, and in it every field and parameter, is sent what no schema asks for: one such value at a time, then
 * several at once. Whatever it is, the answer is in the shape of the house, never a fault of ours, and no connection to the
 * database is lost by it.
 */
import http from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorCodes } from "#lib/core/errors.ts";
import type { Contract } from "#lib/core/operation.ts";
import { userOperations } from "#lib/registry.ts";
import { bootWith } from "../database.ts";
import { watchConnections } from "../pool.fixture.ts";
import { useServer } from "../server.fixture.ts";
import { options } from "../torture/options.ts";
import { type Attack, attacksOn, type Target } from "./attacks.ts";
import { castOf, everyOperation } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { createStage } from "./stage.ts";
import { headersOf } from "./surface.ts";

/** The operations are shared out to as many files, which run beside each other. */
const SHARES = 4;

/** How long one operation may take: one that is given up goes on beside the next, and fails that too. */
const TIMEOUT = 300_000;

/** Requests under way at once. */
const LANES = 8;

type Answer = { status: number; type: string; requestId: string; text: string };

/** Where requests go, and over which connections. */
type Wire = { url(): string; agent: http.Agent };

let visitors = 0;

function ask(
  { url, agent }: Wire,
  method: string,
  { path, body }: Attack,
  headers: Record<string, string>,
): Promise<Answer> {
  const { port } = new URL(url());
  // Each comes from another address, so that nothing is refused for having been tried too often.
  const n = ++visitors;
  const from = { "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
  const length = body === null ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { port, host: "127.0.0.1", method, path, agent, headers: { ...headers, ...from, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers["content-type"] ?? ""),
            requestId: String(response.headers["x-request-id"] ?? ""),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body ?? undefined);
  });
}

/**
 * A success is what the contract promises; a refusal has the house's shape and a known code, and was not made before the
 * input was looked at.
 */
function judge(contract: Contract, { status, type, requestId, text }: Answer, unheard: readonly number[]): void {
  // What asks a server of the caller's choice may not reach it.
  const unreached = status === 502 && contract.errors?.includes("provider_unavailable");
  if (!unreached) expect(status).toBeLessThan(500);
  expect(requestId).toMatch(/^[\w-]{1,128}$/);
  if (status === 204) return;
  expect(type).toMatch(/^application\/json/);
  const answered = JSON.parse(text) as Record<string, unknown>;
  if (status < 400) return void contract.output.parse(answered);
  expect(unheard).not.toContain(status);
  expect(errorCodes).toContain(answered.error);
  expect(answered).toMatchObject({ message: expect.stringMatching(/\S/), request_id: requestId });
}

/** Sends them all, some at once; answers what was answered wrongly. */
async function sendAll(
  wire: Wire,
  contract: Contract,
  attacks: readonly Attack[],
  headers: Record<string, string>,
  unheard: readonly number[],
): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = attacks.values();
  const lane = async () => {
    for (const attack of waiting) {
      let answer: Answer | null = null;
      try {
        answer = await ask(wire, contract.http.method, attack, headers);
        // All lanes change one record. A refusal for that asks to send the request again.
        if (answer.status === 503 && /change the same records/.test(answer.text))
          answer = await ask(wire, contract.http.method, attack, headers);
        judge(contract, answer, unheard);
      } catch (error) {
        const why = (error as Error).message.slice(0, 150);
        const summary = answer ? `${answer.status} ${answer.text.slice(0, 150)}` : "no answer";
        wrong.push(`${attack.what.slice(0, 150)}: ${summary} (${why})`);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return wrong;
}

async function attack(
  wire: Wire,
  target: Target,
  headers: Record<string, string>,
  unheard: readonly number[],
): Promise<void> {
  const wrong: string[] = [];
  for await (const group of attacksOn(target))
    wrong.push(...(await sendAll(wire, target.contract, group, headers, unheard)));
  expect(wrong.length, wrong.slice(0, 10).join("\n")).toBe(0);
}

const accounts = userOperations.map(({ contract }) => [contract.name, contract] as const);

/** Declares the tests of one share of all operations; `share` counts from 1. */
export function attackShare(share: number): void {
  const ofShare = <T>(all: readonly T[]): T[] => all.filter((_, index) => index % SHARES === share - 1);

  beforeAll(() => bootWith({ RATE_LIMIT_PER_MINUTE: "0", TRUST_PROXY: "1" }));
  const { url } = useServer();
  const wire = { url, agent: new http.Agent({ keepAlive: true, maxSockets: LANES }) };
  afterAll(() => wire.agent.destroy());

  const connections = watchConnections();
  let lost = 0;
  beforeEach(() => {
    lost = connections.destroyed();
  });
  afterEach(() => expect(connections.destroyed() - lost, "connections to the database that were lost").toBe(0));

  // The name of every failure, of one that took too long too, says what sends the same again.
  describe(`TORTURE_SEED=${options.seed}`, () => {
    describe.each(ofShare(everyOperation))("%s", (name, operation) => {
      test(
        "answers anything in place of any value",
        async () => {
          const { contract } = operation;
          const { stage, as } = await castOf(operation);
          const base = "key" in as ? "" : `/api/app/${as.workspace}`;
          const target = { contract, base, workspaceId: stage.id, inputOf: () => inputOf(name, stage) };
          await attack(wire, target, headersOf(as, url()), [401, 429]);
        },
        TIMEOUT,
      );
    });

    describe.each(ofShare(accounts))("%s", (_name, contract) => {
      test(
        "answers anything in place of any value",
        async () => {
          const stage = await createStage();
          const { cookie } = await stage.person("owner");
          const right = () => Promise.resolve(contract.example.input as Record<string, unknown>);
          // Passwords take long to hash, and guesses at them are slowed down: fewer, unless all are asked for.
          const target = { contract, base: "", workspaceId: stage.id, inputOf: right, most: 5 };
          await attack(wire, target, headersOf({ cookie, workspace: stage.id }, url()), []);
        },
        TIMEOUT,
      );
    });
  });
}
