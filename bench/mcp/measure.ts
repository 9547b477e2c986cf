import { say } from "../report.ts";
import { CONNECTIONS, type Figures, median, round, type Sending } from "../rounds.ts";
import type { Stage } from "../stage.ts";

const PEOPLE = 2_000;
const ROUNDS = 7;
const SECONDS = 2;

/** Issue 13: p95 of a tool call against p95 of the REST call behind it. */
const GOAL = 1.5;

/** The headers of a client of the revision of 2025, which most clients speak. */
const accept = "application/json, text/event-stream";

/** Tools compared with their REST calls, in turn. Returns missed goals. */
export async function measureMcp(stage: Stage): Promise<string[]> {
  const workspace = await stage.createWorkspace("Tools");
  const { url, headers = {} } = stage.ours(workspace, "");
  const post = async (path: string, body: unknown) => {
    const sent = { ...headers, "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers: sent, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  };
  const emails = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@prospect-${index % 200}.example`);
  const titles = ["CFO", "VP Sales", "Head of IT", "Founder"];
  for (let from = 0; from < PEOPLE; from += 1_000) {
    const people = emails.slice(from, from + 1_000).map((email, index) => ({ email, job_title: titles[index % 4] }));
    await post("/v2/people/bulk", { people });
  }
  for (const section of ["ICP", "Product", "Pricing"])
    await post("/v2/workspace/facts", { section, content: `What we say about ${section}, in one short statement.` });
  for (const email of emails.slice(0, 200))
    await post("/v2/notes", { focus: email, content: "Wants single sign-on before July. The budget is 40,000 euros." });

  let count = 0;
  const next = () => emails[count++ % PEOPLE] as string;
  const asTool = (name: string, inputOf: () => object) => (): Sending => ({
    path: "/mcp",
    headers: { ...headers, accept },
    body: JSON.stringify({ jsonrpc: "2.0", id: count, method: "tools/call", params: { name, arguments: inputOf() } }),
  });
  const asRest = (path: string, inputOf: () => object) => (): Sending => ({
    path,
    headers,
    body: JSON.stringify(inputOf()),
  });
  const calls: [tool: string, path: string, given: () => object][] = [
    ["get_context", "/v2/context", () => ({ focus: next(), intent: "draft_email" })],
    ["search_notes", "/v2/notes/search", () => ({ question: "What is the budget?", focus: emails[count++ % 200] })],
    ["verify", "/v2/verify", () => ({ focus: next(), property: "job_title" })],
    [
      "record",
      "/v2/observations",
      () => ({ focus: next(), observations: [{ kind: "state", property: "budget", value: count }] }),
    ],
  ];

  say(`\nTools over MCP beside their REST calls, ${CONNECTIONS} connections`);
  say(`${"".padEnd(16)} ${"tool p95 ms".padStart(12)} ${"REST p95 ms".padStart(12)} ${"ratio".padStart(7)}  goal`);
  const missed: string[] = [];
  for (const [tool, path, given] of calls) {
    const sides = { tool: asTool(tool, given), rest: asRest(path, given) };
    for (const make of Object.values(sides)) await round(url, make, 1);
    const rounds: Record<keyof typeof sides, Figures>[] = [];
    for (let index = 0; index < ROUNDS; index++)
      rounds.push({ tool: await round(url, sides.tool, SECONDS), rest: await round(url, sides.rest, SECONDS) });
    const p95 = (side: keyof typeof sides) => median(rounds.map((each) => each[side].p95)).toFixed(1);
    const ratio = median(rounds.map((each) => each.tool.p95 / each.rest.p95));
    say(
      `${tool.padEnd(16)} ${p95("tool").padStart(12)} ${p95("rest").padStart(12)} ${ratio.toFixed(2).padStart(7)}  ≤ ${GOAL}`,
    );
    if (ratio > GOAL) missed.push(`tool ${tool}`);
  }
  return missed;
}
