/** Through how many files of lib/domain one warm request passes. `ROOMS=<file>` writes which, with the functions called. */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { restOfJobs } from "#lib/testing/jobs.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";

/** `file`: a file of one row from its upload to its end; `row`: the run alone, in which the row is recorded. */
const rooms = { capture: 27, observation: 30, context: 35, file: 71, row: 59 };

const root = path.resolve(import.meta.dirname, "../..");
const server = useServer();
const coverage = new Session();
beforeAll(() => startWorker());
afterAll(() => stopWorker());

/** The functions with a name that were called since this was last asked, by file. Vitest's re-exports have none. */
async function takeCalled(): Promise<[string, string[]][]> {
  const { result } = await coverage.post("Profiler.takePreciseCoverage");
  const called = result.map(({ url, functions }): [string, string[]] => [
    path.relative(root, url.replace(/^file:\/\//, "").replace(/\?.*/, "")),
    functions.flatMap(({ functionName, ranges }) => (functionName && ranges[0]?.count ? [functionName] : [])),
  ]);
  return called.filter(([file, names]) => /^(lib|app)\/(?!testing)/.test(file) && names.length > 0).toSorted();
}

test("a request passes through few files of the domain", async () => {
  coverage.connect();
  onTestFinished(() => coverage.disconnect());
  await coverage.post("Profiler.enable");
  await coverage.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const { id, key: mint } = await createTestWorkspace();
  const key = await mint();
  const post = async (to: string, body: object) => {
    const answer = await server.call(to, { key, body, headers: { accept: "application/json, text/event-stream" } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body as { import: { id: string } };
  };
  const upload = async (name: string) => {
    const content = `Email,First Name,Company\n${name}@acme.com,Ann,Acme\n`;
    const { import: made } = await post("/v2/imports", { file_name: "people.csv", kind: "people", content });
    await restOfJobs(id);
    return made.id;
  };
  const run = async (importId: string) => {
    await post(`/v2/imports/${importId}/run`, {});
    await restOfJobs(id);
  };
  const focus = "anna@acme.com";
  const tool = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_context", arguments: { focus } } };
  const requests: Readonly<Record<keyof typeof rooms, (round: number) => Promise<unknown>>> = {
    // of someone known, whose stage moves
    capture: (round) =>
      post("/api/v1/capture", { email: `p${round}@gmail.com`, type: "meeting_held", external_id: `${round}` }),
    observation: (round) =>
      post("/v2/observations", { focus, observations: [{ kind: "state", property: "job_title", value: `${round}` }] }),
    context: () => post("/mcp", tool),
    file: async (round) => run(await upload(`file${round}`)),
    row: async (round) => {
      const importId = await upload(`row${round}`);
      await takeCalled();
      await run(importId);
    },
  };
  const rounds = [0, 1, 2, 3];
  await post("/v2/people/bulk", {
    people: rounds.map((round) => ({ email: `p${round}@gmail.com`, first_name: "Pat" })),
  });
  await post("/api/v1/capture", { email: focus, type: "email_received" });
  await post("/v2/notes", { focus, content: "They decide in May." });
  const lines: string[] = [];
  const counts: Record<string, number> = {};
  for (const [name, request] of Object.entries(requests)) {
    let files: [string, string[]][] = [];
    for (const round of rounds) {
      await restOfJobs(id);
      await takeCalled();
      await request(round);
      files = await takeCalled();
    }
    counts[name] = files.filter(([file]) => file.startsWith("lib/domain/")).length;
    lines.push(`${name}: ${counts[name]} of ${files.length}`, ...files.map(([file, names]) => `  ${file}: ${names}`));
  }
  if (process.env.ROOMS) writeFileSync(process.env.ROOMS, `${lines.join("\n")}\n`);
  expect(counts).toEqual(rooms);
});
