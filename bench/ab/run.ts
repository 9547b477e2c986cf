/**
 * `npm run bench -- ab [commit] [--people 20000] [--only text,text]`: a commit (the last release when none is named) and this tree side
 * by side: the same people in both, the same requests in turn, so that whatever else the machine does falls on both alike. Fails when
 * a work is slower than `LEAST` of the commit. `bench/HISTORY.md` keeps the tables of releases.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { compare, type Target } from "../load.ts";
import { type Line, report, say } from "../report.ts";
import { openStage, type Stage, type Workspace } from "../stage.ts";

const tree = path.resolve(import.meta.dirname, "../..");
const LEAST = 0.95;
const ROUNDS = { rounds: 5, seconds: 3 };
const BATCH = 500;

type Side = { stage: Stage; workspace: Workspace };
type Work = { what: string; ask: (side: Side) => Target };

const get =
  (path: string) =>
  ({ stage, workspace }: Side): Target =>
    stage.ours(workspace, path);
const emailOf = (person: number) => `p${person}@c${person % 4_000}.example.com`;
const FOCUS = emailOf(77);

const works: readonly Work[] = [
  { what: "people", ask: get("/v2/people") },
  { what: "people by stage", ask: get("/v2/people?pipeline_stage=interested") },
  { what: "people by source", ask: get("/v2/people?source=csv_import") },
  { what: "people without linkedin", ask: get("/v2/people?has_linkedin=false") },
  { what: "people search", ask: get("/v2/people?search=smith") },
  { what: "account", ask: get(`/v2/accounts/${FOCUS}`) },
  {
    what: "context",
    ask: ({ stage, workspace }) =>
      stage.ours(workspace, "/v2/context", { method: "POST", body: JSON.stringify({ focus: FOCUS }) }),
  },
  { what: "facts", ask: get("/v2/workspace/facts") },
  {
    what: "capture",
    ask: ({ stage, workspace }) =>
      stage.ours(workspace, "", {
        spread: true,
        requests: Array.from({ length: 2_000 }, (_, person) => ({
          method: "POST" as const,
          path: "/api/v1/capture",
          body: JSON.stringify({ email: emailOf(person), type: "email_sent", source: "ab", external_id: "[<id>]" }),
        })),
      }),
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { people: { type: "string", default: "20000" }, only: { type: "string" } },
});
const people = Number(values.people);
const named = values.only?.split(",");
const chosen = works.filter(({ what }) => !named || named.some((part) => what.includes(part)));
const commit = commitOf(positionals[0]);
if (!(people >= BATCH) || chosen.length === 0 || commit === null) {
  say(`usage: npm run bench -- ab [commit] [--people n, at least ${BATCH}] [--only text,text]`);
  say("Without a commit the last release is compared, and this repository has no tag of one yet.");
  process.exit(2);
}

const sides: Side[] = [];
try {
  for (const root of [installed(commit), tree]) {
    const stage = await openStage(root);
    sides.push({ stage, workspace: await stage.createWorkspace("AB") });
  }
  await Promise.all(sides.map(fill));
  const [base, ours] = sides as [Side, Side];
  const lines: Line[] = [];
  for (const { what, ask } of chosen)
    lines.push({ what, goal: LEAST, result: await compare(ask(ours), { ...ask(base), name: "commit" }, ROUNDS) });
  const heading = `this tree beside ${commit.slice(0, 10)}, ${people.toLocaleString("en")} people, 32 connections`;
  const slower = report(heading, ["tree", "commit"], lines);
  say(slower.length === 0 ? `\nnothing is slower than ${LEAST}` : `\nslower than ${LEAST}: ${slower.join(", ")}`);
  process.exitCode = slower.length === 0 ? 0 : 1;
} finally {
  await Promise.all(sides.map(({ stage }) => stage.close()));
}

/** The commit that a name means, in full; null when no name is given and nothing was released, or there is no such commit. */
function commitOf(name: string | undefined): string | null {
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: tree, stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  try {
    return git("rev-parse", "--verify", `${name ?? git("describe", "--tags", "--abbrev=0")}^{commit}`);
  } catch {
    return null;
  }
}

/** A folder with the commit, ready to start; it is used again by the next comparison. */
function installed(of: string): string {
  const root = path.join(tmpdir(), "rapport-ab", of.slice(0, 12));
  const marker = path.join(root, ".installed");
  if (existsSync(marker)) return root;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(path.dirname(root), { recursive: true });
  execFileSync("git", ["clone", "--quiet", tree, root]);
  execFileSync("git", ["checkout", "--quiet", "--detach", of], { cwd: root });
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: root, stdio: "inherit" });
  writeFileSync(marker, "");
  return root;
}

async function fill({ stage, workspace }: Side): Promise<void> {
  const stages = ["identified", "aware", "interested", "evaluating", "client"];
  const first = ["Anna", "Ben", "Carla", "Diego", "Ena", "Farid", "Greta", "Hugo"];
  const last = ["Smith", "Weber", "Xu", "Novak", "Ito", "Costa"];
  const titles = ["CEO", "VP Sales", "CTO"];
  for (let from = 0; from < people; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, people - from) }, (_, place) => {
      const person = from + place;
      return {
        email: emailOf(person),
        first_name: first[person % first.length],
        last_name: `${last[person % last.length]}${person % 977}`,
        job_title: titles[person % titles.length],
        source: person % 3 ? "csv_import" : "api",
        pipeline_stage: stages[person % stages.length],
        ...(person % 2 ? { linkedin_url: `https://linkedin.com/in/p${person}` } : {}),
      };
    });
    const { url, headers } = stage.ours(workspace, "/v2/people/bulk");
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ people: rows }),
    });
    if (!response.ok) throw new Error(`people are not taken: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
  // The database's own statistics of what was just filled in.
  await new Promise((resolve) => setTimeout(resolve, 15_000));
}
