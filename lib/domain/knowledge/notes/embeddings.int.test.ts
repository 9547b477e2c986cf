import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Job } from "#lib/domain/integrations/jobs/contract.ts";
import { listJobs } from "#lib/domain/integrations/jobs/service.ts";
import { searchNotes } from "#lib/domain/knowledge/search/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { saveNote } from "./service.ts";

/** Words that mean the same to the model; everything else means nothing to it. */
const CONCEPTS = [
  ["price", "wallet", "cost", "purse", "afford"],
  ["lawyer", "contract", "legal", "clause"],
  ["server", "hosting", "cloud", "datacenter"],
  ["holiday", "vacation", "beach"],
];

type EmbeddingRequest = { model: string; input: string[]; authorization: string | undefined };

/** A small OpenAI-compatible endpoint that records what it is asked. */
const endpoint = {
  asked: [] as EmbeddingRequest[],
  answer: null as
    | null
    | ((input: string[]) => { status: number; body: string; headers?: Record<string, string>; delayMs?: number }),
  url: "",
};
let server: Server;

const vectorOf = (text: string, extra = 0): number[] => [
  ...CONCEPTS.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length + 0.001),
  ...new Array<number>(4 + extra).fill(0.001),
];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { model: string; input: string[] };
      endpoint.asked.push({ ...body, authorization: request.headers.authorization });
      const data = body.input.map((text, index) => ({
        object: "embedding",
        index,
        embedding: vectorOf(text, body.model === "larger" ? 2 : 0),
      }));
      const ordinary = {
        status: 200,
        body: JSON.stringify({ object: "list", data: data.toReversed(), model: body.model }),
      };
      const {
        status,
        body: text,
        headers,
        delayMs,
      } = { headers: {}, delayMs: 0, ...(endpoint.answer?.(body.input) ?? ordinary) };
      await sleep(delayMs, undefined, { ref: false }); // the process may end meanwhile
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});

afterEach(async () => {
  await stopWorker();
  await inspect("DELETE FROM graphile_worker._private_jobs");
  await inspect("DELETE FROM note_embedding_queue");
  endpoint.answer = null;
  endpoint.asked = [];
  bootWith();
});

afterAll(() => server.close());

const configure = (model = "small") =>
  bootWith({ EMBEDDINGS_URL: endpoint.url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: "sk-test" });

async function setUp() {
  const { caller, id } = await createTestWorkspace();
  const save = async (content: string, focus = "anna@acme.com") =>
    (await saveNote.execute(caller, { focus, content })).note.id;
  const search = (question: string, more: object = {}) => searchNotes.execute(caller, { question, ...more });
  const queued = async () =>
    (
      await inspect<{ n: number }>("SELECT count(*)::int AS n FROM note_embedding_queue WHERE workspace_id = $1", [id])
    )[0]?.n;
  const models = async () =>
    await inspect<{ model: string; dimension: number }>(
      "SELECT DISTINCT model, dimension FROM note_vectors WHERE workspace_id = $1",
      [id],
    );
  /** Runs jobs until every note of the workspace is embedded. */
  const emptied = async () => {
    await startWorker();
    await expect.poll(queued, { interval: 50 }).toBe(0);
  };
  const jobs = async () => ((await listJobs.execute(caller, {})) as { jobs: Job[] }).jobs;
  return { id, save, search, queued, models, emptied, jobs };
}

describe("searching by meaning", () => {
  test("finds what shares no word with the question, and says what found it", async () => {
    configure();
    const { save, search, emptied } = await setUp();
    const pricing = await save("She thinks it is far too heavy on their wallet.");
    const legal = await save("Their lawyer returned the contract with two clauses.");
    const both = await save("The cost of the project was discussed.");
    await save("Nothing else happened.", "ben@acme.com");
    await emptied();
    const { documents, mode, warning } = await search("can they afford the cost");
    expect({ mode, warning }).toEqual({ mode: "hybrid", warning: undefined });
    expect(documents.slice(0, 2).map(({ id, match }) => [id, match])).toEqual([
      [both, "hybrid"],
      [pricing, "semantic"],
    ]);
    expect(documents.find(({ id }) => id === pricing)?.snippet).toContain("wallet");
    for (const [index, { similarity }] of documents.entries())
      expect(similarity).toBeLessThanOrEqual(documents[index - 1]?.similarity ?? 1);
    expect((await search("attorney paragraphs legal")).documents[0]?.id).toBe(legal);
    expect(
      endpoint.asked.every(({ authorization, model }) => authorization === "Bearer sk-test" && model === "small"),
    ).toBe(true);
  });

  test("focus and type filter both lists", async () => {
    configure();
    const { save, search, emptied } = await setUp();
    await save("Much too heavy on the wallet.", "anna@acme.com");
    const ben = await save("What does it cost?", "ben@acme.com");
    await emptied();
    expect((await search("purse", { focus: "ben@acme.com" })).documents.map(({ id }) => id)).toEqual([ben]);
    expect((await search("purse", { type: "research" })).documents).toEqual([]);
  });

  test("two workspaces never see each other's vectors", async () => {
    configure();
    const [mine, other] = [await setUp(), await setUp()];
    const saved = await mine.save("Far too heavy on the wallet.");
    await mine.emptied();
    expect((await mine.search("purse")).documents.map(({ id }) => id)).toEqual([saved]);
    expect((await other.search("purse")).documents).toEqual([]);
  });

  test("a note without an embedding yet is found by its words", async () => {
    configure();
    const { save, search } = await setUp();
    const saved = await save("The hosting question is open.");
    const { documents, mode } = await search("hosting");
    expect({ mode, ids: documents.map(({ id }) => id) }).toEqual({ mode: "hybrid", ids: [saved] });
  });
});

describe("an endpoint that does not work", () => {
  test.each([
    ["refuses", () => ({ status: 401, body: '{"error":{"message":"bad key"}}' })],
    ["is overloaded", () => ({ status: 429, body: "{}", headers: { "retry-after": "30" } })],
    ["talks nonsense", () => ({ status: 200, body: "<html>" })],
    ["answers no vector", () => ({ status: 200, body: '{"data":[]}' })],
    ["redirects", () => ({ status: 302, body: "", headers: { location: "http://169.254.169.254/" } })],
    ["is slow", () => ({ status: 200, body: "{}", delayMs: 60_000 })],
  ])("that %s leaves the lexical answer with a warning", async (_, answer) => {
    configure();
    const { save, search } = await setUp();
    const saved = await save("The hosting question is open.");
    endpoint.answer = answer;
    const started = performance.now();
    const { documents, mode, warning } = await search("hosting");
    expect(performance.now() - started).toBeLessThan(30_000);
    expect({ mode, ids: documents.map(({ id }) => id) }).toEqual({ mode: "lexical", ids: [saved] });
    expect(warning).toMatch(/embeddings endpoint/);
    expect(warning).not.toContain("sk-test");
  });

  test("loses nothing: what failed stays queued, waits longer each time, and is embedded once it works", async () => {
    configure();
    const { id, save, search, queued, emptied, jobs } = await setUp();
    const failed: number[] = [];
    endpoint.answer = () => {
      failed.push(Date.now());
      return { status: 500, body: "{}" };
    };
    const saved = await save("Far too heavy on the wallet.");
    const other = await save("Their lawyer is on holiday.");
    await startWorker();
    await expect.poll(() => endpoint.asked.length).toBeGreaterThan(0);
    const waits = async () => Date.parse((await jobs())[0]?.run_at ?? "") - (failed[0] ?? 0);
    await expect.poll(waits).toBeGreaterThan(2_000);
    expect(await jobs()).toMatchObject([{ kind: "notes:embed", state: "scheduled", attempts: 0 }]);
    await stopWorker();
    expect(await queued()).toBe(2);
    expect(endpoint.asked).toHaveLength(1); // one failure is enough for all that wait
    const notes = await inspect<{ attempts: number; waits: boolean }>(
      "SELECT attempts, due_at > $2::timestamptz + interval '2 seconds' AS waits FROM note_embedding_queue WHERE workspace_id = $1 ORDER BY attempts",
      [id, new Date(failed[0] ?? 0)],
    );
    expect(notes).toEqual([
      { attempts: 0, waits: true },
      { attempts: 1, waits: true },
    ]);
    endpoint.answer = null;
    await emptied();
    expect((await search("purse")).documents[0]?.id).toBe(saved);
    expect((await search("legal")).documents[0]?.id).toBe(other);
  });

  test("that hangs holds up no stop, and what was asked of it is asked again", async () => {
    configure();
    const { id, save, queued, emptied } = await setUp();
    endpoint.answer = () => ({ status: 500, body: "{}", delayMs: 60_000 });
    await save("Far too heavy on the wallet.");
    await startWorker();
    await expect.poll(() => endpoint.asked.length).toBeGreaterThan(0);
    const started = performance.now();
    await stopWorker();
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(await inspect("SELECT 1 FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL")).toEqual([]);
    expect(await queued()).toBe(1);
    expect(
      await inspect("SELECT attempts, due_at <= now() AS due FROM note_embedding_queue WHERE workspace_id = $1", [id]),
    ).toEqual([{ attempts: 0, due: true }]);
    endpoint.answer = null;
    await emptied();
  });
});

describe("the model", () => {
  test("notes saved before an endpoint was configured are embedded, and all again when the model changes", async () => {
    const { save, search, models, emptied, queued } = await setUp();
    const saved = await save("Far too heavy on the wallet.");
    expect((await search("purse")).mode).toBe("lexical");
    expect(await queued()).toBe(1);
    configure("small");
    await emptied();
    expect(await models()).toEqual([{ model: "small", dimension: 8 }]);
    await stopWorker();
    configure("larger");
    expect((await search("purse")).documents).toEqual([]);
    await startWorker();
    await expect.poll(models, { interval: 50 }).toEqual([{ model: "larger", dimension: 10 }]);
    expect((await search("purse")).documents.map(({ id }) => id)).toEqual([saved]);
  });

  test("a long note is embedded in passages, and the best one is the snippet", async () => {
    configure();
    const { save, search, emptied } = await setUp();
    const filler = "We talked about nothing in particular that day. ".repeat(60);
    await save(`${filler}Then they planned their holiday together. ${filler}`);
    await emptied();
    expect(Math.max(...endpoint.asked.map(({ input }) => input.length))).toBeGreaterThan(2);
    const [first] = (await search("at the beach")).documents;
    expect(first?.match).toBe("semantic");
  });
});
