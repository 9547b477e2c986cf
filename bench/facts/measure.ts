import { compare } from "../load.ts";
import { type Line, report, say } from "../report.ts";
import { PASSWORD, type Stage, type Workspace } from "../stage.ts";
import { measurePage } from "./page.ts";

/** 95 of 100 times the GTM Context tab is there within so many milliseconds. */
const PAGE_MS = 30;

/** The GTM profile over the API and in the tab, and the cost of an answer that does nothing. Returns missed goals. */
export async function measureFacts(stage: Stage): Promise<string[]> {
  const workspace = await stage.createWorkspace("Profile");
  await writeProfile(stage, workspace);
  const bare = await stage.bare("facts/bare.ts", workspace.id);
  const FACTS = "/v2/workspace/facts";
  const body = JSON.stringify({ section: "Pricing", content: "From 49 euros a seat and month, yearly in advance." });
  const post = { method: "POST", body } as const;
  const lines: Line[] = [
    { what: "ping", goal: 0.8, result: await compare(stage.ours(workspace, "/healthz"), bare("/ping")) },
    { what: `GET ${FACTS}`, goal: 1, result: await compare(stage.ours(workspace, FACTS), bare("/")) },
    { what: `POST ${FACTS}`, goal: 1, result: await compare(stage.ours(workspace, FACTS, post), bare("/", post)) },
  ];
  const missed = report("The GTM profile", ["rapport", "bare"], lines);
  const page = await measurePage({
    base: stage.base,
    workspaceId: workspace.id,
    email: workspace.ownerEmail,
    password: PASSWORD,
  });
  say(
    `GTM Context tab: server time p50 ${page.p50.toFixed(1)} ms, p95 ${page.p95.toFixed(1)} ms (goal ${PAGE_MS}); JavaScript ${page.scriptKb.toFixed(0)} kB gzip in ${page.scripts} files (goal 200)`,
  );
  if (page.p95 > PAGE_MS || page.scriptKb > 200) missed.push("GTM Context tab");
  return missed;
}

/** A profile of the size a careful owner writes: a statement per section, a few notes, some history. */
async function writeProfile(stage: Stage, workspace: Workspace): Promise<void> {
  const sections = [
    "ICP",
    "Market",
    "Product",
    "Pricing",
    "Competitors",
    "Positioning",
    "GTM Motion",
    "Notes",
    "Notes",
    "Notes",
    "Notes",
    "ICP",
  ];
  const { url, headers } = stage.ours(workspace, "/v2/workspace/facts");
  for (const [index, section] of sections.entries()) {
    const content = `Statement ${index} about ${section}: who buys, why now, what they compare us with, what it costs them to wait, and how we reach them.`;
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ section, content }),
    });
    if (response.status !== 201) throw new Error(`seeding failed: ${response.status} ${await response.text()}`);
  }
}
