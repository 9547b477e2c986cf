import pg from "pg";
import { MOST_SKIPPED } from "#lib/core/page-input.ts";
import { generateContacts } from "../generate.ts";
import { compare, type Target } from "../load.ts";
import { type Line, report, say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";

const CONTACTS = 200;
const ROUNDS = { rounds: 3, seconds: 2 };

type FilledWorkspace = { workspace: Workspace; people: number; emails: string[]; company: string; last: string };

/** A workspace with what the requests to it need. */
type Request = (filled: FilledWorkspace) => { path: string; query?: string } & Pick<Target, "requests">;

const list =
  (query: string): Request =>
  () => ({ path: "/v2/people", query });
const perContact =
  (make: (email: string) => { path: string; method: "GET" | "POST"; body?: string }): Request =>
  (filled) => ({ path: "", requests: filled.emails.map(make) });

const ACCOUNT = perContact((email) => ({ method: "GET", path: `/v2/accounts/${encodeURIComponent(email)}` }));
const CONTEXT = perContact((focus) => ({ method: "POST", path: "/v2/context", body: JSON.stringify({ focus }) }));

const LISTS = 2;
const SEARCH = 1.5;

/** The request, the same request to the bare server, and the share of its speed that is the goal; `least`: as in `Line`. */
const questions: { what: string; goal: number; least?: number; ask: Request; bare?: string }[] = [
  { what: "people", goal: LISTS, ask: list(""), bare: "" },
  ...[
    ["pipeline_stage=interested"],
    ["source=csv_import"],
    ["has_email=true"],
    ["has_linkedin=false"],
    ["last_activity_before=30d", "last_activity_before=30 days"],
    ["last_activity_after=30d", "last_activity_after=30 days"],
    ["search=ann"],
    ["search=acme"],
    ["search=featherstonehaugh"],
  ].map(([query = "", bare = query]) => ({
    what: `people?${query}`,
    goal: query.startsWith("search=") ? SEARCH : LISTS,
    ask: list(query),
    bare,
  })),
  {
    what: "people?company_id=",
    goal: LISTS,
    ask: ({ company }) => ({ path: "/v2/people", query: `company_id=${company}` }),
  },
  {
    what: "people, the deepest page by offset",
    goal: 1,
    least: 200,
    ask: list(`offset=${MOST_SKIPPED}`),
  },
  { what: "accounts/:focus", goal: 1.3, ask: ACCOUNT },
  { what: "POST context", goal: 1.1, ask: CONTEXT },
];

/**
 * The contact record at `sizes` people, each size in its own workspace beside 200 small ones: compared with the bare
 * server at the second size, and with itself at the others. Returns missed goals.
 */
export async function measureRecords(stage: Stage, sizes: readonly number[]): Promise<string[]> {
  const filled: FilledWorkspace[] = [];
  for (const [index, people] of sizes.entries()) filled.push(await fill(stage, people, index === 0 ? 200 : 0));
  const [small, main, ...larger] = filled;
  if (!small || !main) throw new Error("two sizes are needed");
  const bare = await stage.bare("records/bare.ts");
  const ours = (at: FilledWorkspace, ask: Request) => {
    const { path, query, requests } = ask(at);
    return stage.ours(at.workspace, `${path}${query ? `?${query}` : ""}`, { requests });
  };
  const lines: Line[] = [];
  for (const { what, goal, least, ask, bare: plain } of questions) {
    const { query, requests } = ask(main);
    const { id } = main.workspace;
    const theirs = requests
      ? bare("", { requests: requests.map((each) => ({ ...each, path: `/${id}${each.path.slice(3)}` })) })
      : bare(`/${id}/people?${encodeURI(plain ?? query ?? "")}`);
    lines.push({ what, goal, ...(least && { least }), result: await compare(ours(main, ask), theirs, ROUNDS) });
  }
  const missed = report(`${main.people.toLocaleString("en")} people`, ["rapport", "bare"], lines);

  const ends: Line[] = [
    {
      what: "people, last page by cursor",
      goal: 0.8,
      result: await compare(
        ours(main, ({ last }) => ({ path: "/v2/people", query: `cursor=${last}` })),
        { ...ours(main, list("")), name: "the first page" },
        ROUNDS,
      ),
    },
  ];
  missed.push(...report("The last page beside the first", ["last", "first"], ends));

  for (const other of [small, ...larger]) {
    const [less, more] = other.people < main.people ? [other, main] : [main, other];
    const sides: Line[] = [];
    for (const { what, ask } of questions) {
      const result = await compare(ours(more, ask), { ...ours(less, ask), name: "fewer" }, ROUNDS);
      sides.push({ what, goal: what === LINEAR ? 0 : 0.9, result });
    }
    const heading = `${more.people.toLocaleString("en")} people beside ${less.people.toLocaleString("en")}`;
    missed.push(...report(heading, ["more", "fewer"], sides).map((what) => `${what} (${heading})`));
  }
  return missed;
}

/** A request without a goal for growing workspaces: a rare name reads everyone who has it, 0.2 % of all people. */
const LINEAR = "people?search=featherstonehaugh";

async function fill(stage: Stage, people: number, neighbours: number): Promise<FilledWorkspace> {
  const workspace = await stage.createWorkspace(`${people} people`);
  const started = performance.now();
  const { observations } = await generateContacts({
    url: stage.adminUrl,
    workspaceId: workspace.id,
    people,
    companies: people / 5,
    observationsPerPerson: 5,
    workspaces: neighbours,
  });
  say(
    `${people.toLocaleString("en")} people, ${(people / 5).toLocaleString("en")} companies, ${observations.toLocaleString("en")} observations made in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  const client = new pg.Client({ connectionString: stage.adminUrl });
  await client.connect();
  try {
    const some = await client.query<{ email: string }>(
      "SELECT email FROM people WHERE workspace_id = $1 AND email IS NOT NULL AND company_id IS NOT NULL AND status = 'active' ORDER BY id LIMIT $2 OFFSET 400",
      [workspace.id, CONTACTS],
    );
    // The first company is a large one: its people fill a page.
    const large = await client.query<{ company_id: string }>(
      "SELECT company_id FROM people WHERE workspace_id = $1 AND company_id IS NOT NULL ORDER BY id LIMIT 1",
      [workspace.id],
    );
    return {
      workspace,
      people,
      emails: some.rows.map((row) => row.email),
      company: large.rows[0]?.company_id as string,
      last: await cursorOfEnd(stage, workspace),
    };
  } finally {
    await client.end();
  }
}

/** The cursor of the last page: at most 900 people come after it. */
async function cursorOfEnd(stage: Stage, workspace: Workspace): Promise<string> {
  let last = "";
  for (let next: string | null = ""; next !== null; ) {
    last = next;
    const { url, headers } = stage.ours(workspace, `/v2/people?limit=900${last && `&cursor=${last}`}`);
    next = ((await (await fetch(url, { headers: headers ?? {} })).json()) as { next_cursor: string | null })
      .next_cursor;
  }
  return last;
}
