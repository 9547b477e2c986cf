import pg from "pg";
import { newId } from "#lib/core/ids.ts";
import { generateContacts } from "../generate.ts";
import { compare } from "../load.ts";
import { type Line, report, say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";

const ROUNDS = { rounds: 3, seconds: 2 };
/** How many observations the generator makes of a person and of the fifth of a company that they have. */
const PER_PERSON = 5.9;
/** How often one property of the long record was observed. */
const LONG = 50_000;

/** A place in the feed, as we and as the bare server call it. */
type Place = { cursor: string; seq: string; in: string };

/** What the measurement asks about. */
type Ground = {
  workspace: Workspace;
  observations: number;
  end: Place;
  /** the last hundred states of the property of the long record, then a hundred that are the first of theirs */
  often: Place;
  once: Place;
  person: string;
  long: string;
};

/** The feed of changes beside a bare server, in a workspace with so many observations. Returns missed goals. */
export async function measureChanges(stage: Stage, observations: number): Promise<string[]> {
  const ground = await layGround(stage, observations);
  const bare = await stage.bare("changes/bare.ts");
  const lines: Line[] = [];
  for (const { what, goal, least, ours, theirs } of questionsOf(ground)) {
    const path = `/${ground.workspace.id}/${theirs}`;
    lines.push({
      what,
      goal,
      ...(least && { least }),
      result: await compare(stage.ours(ground.workspace, ours), bare(path), ROUNDS),
    });
  }
  const heading = `The feed of changes, ${ground.observations.toLocaleString("en")} observations`;
  const missed = report(heading, ["rapport", "bare"], lines);

  // The bare server takes seconds for this page: its planner goes back through all of the record.
  const page = (cursor: string) => stage.ours(ground.workspace, `/v2/changes?limit=100&cursor=${cursor}`);
  const others = await compare(page(ground.once.cursor), { ...page(ground.often.cursor), name: "often" }, ROUNDS);
  const line = { what: "100 properties that are new to it", goal: 0.5, result: others };
  missed.push(...report("The long record, beside its usual property", ["new", "usual"], [line]));
  return missed;
}

type Question = { what: string; goal: number; least?: number; ours: string; theirs: string };

/**
 * Each with the path of ours and of the bare server. Where there is little to read, the goal is what a request with a key
 * costs beside one without any.
 */
function questionsOf({ end, often, person, long }: Ground): Question[] {
  const ours = (query: string) => `/v2/changes?limit=100&${query}`;
  const beginning = "in=-1&seq=0";
  const at = (place: Place) => `in=${place.in}&seq=${place.seq}`;
  return [
    { what: "changes", goal: 0.8, ours: ours(""), theirs: `page?${beginning}` },
    { what: "nothing new", goal: 0.4, ours: ours(`cursor=${end.cursor}`), theirs: `page?${at(end)}` },
    { what: "types=activity", goal: 0.4, ours: ours("types=activity"), theirs: `types?${beginning}&types=activity` },
    { what: "types=stage", goal: 0.4, ours: ours("types=stage"), theirs: `types?${beginning}&types=stage` },
    {
      what: "types=note, none in 20,000",
      goal: 0.4,
      ours: ours("types=note"),
      theirs: `types?${beginning}&types=note`,
    },
    {
      what: "types=stage, nothing new",
      goal: 0.4,
      ours: ours(`types=stage&cursor=${end.cursor}`),
      theirs: `types?${at(end)}&types=stage`,
    },
    { what: "focus=", goal: 0.15, ours: ours(`focus=${person}`), theirs: `focus?${beginning}&id=${person}` },
    {
      what: "focus=, 50,000 observations",
      goal: 0.8,
      least: 300,
      ours: ours(`focus=${long}`),
      theirs: `focus?${beginning}&id=${long}`,
    },
    {
      what: "focus=, nothing new",
      goal: 0.3,
      ours: ours(`focus=${person}&cursor=${end.cursor}`),
      theirs: `focus?${at(end)}&id=${person}`,
    },
    {
      what: "the long record, its property",
      goal: 0.6,
      ours: ours(`cursor=${often.cursor}`),
      theirs: `page?${at(often)}`,
    },
  ];
}

async function layGround(stage: Stage, wanted: number): Promise<Ground> {
  const workspace = await stage.createWorkspace(`${wanted} observations`);
  const started = performance.now();
  const people = Math.ceil((wanted - LONG) / PER_PERSON);
  const { observations, people: ids } = await generateContacts({
    url: stage.adminUrl,
    workspaceId: workspace.id,
    people,
    companies: Math.ceil(people / 5),
    observationsPerPerson: 5,
    workspaces: 20,
  });
  const ground = await addLongRecord(stage, workspace, observations, ids);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  say(`${ground.observations.toLocaleString("en")} observations made in ${seconds} s`);
  return ground;
}

/** One person with many observations of one property, and the places before them. */
async function addLongRecord(
  stage: Stage,
  workspace: Workspace,
  observations: number,
  people: readonly string[],
): Promise<Ground> {
  const long = people[1] as string;
  const client = new pg.Client({ connectionString: stage.adminUrl });
  await client.connect();
  /** `property`: an expression of `n`. */
  const add = async (count: number, property: string) => {
    const ids = Array.from({ length: count }, () => newId());
    await client.query("BEGIN");
    await client.query("SELECT set_config('rapport.workspace_id', $1, true)", [workspace.id]);
    await client.query(
      `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, actor)
       SELECT $1, n.id, $2, 'state', ${property}, to_jsonb(n), 'bench', 'observed', now(), now(), 'bench:generator'
       FROM unnest($3::uuid[]) WITH ORDINALITY AS n(id, n)`,
      [workspace.id, long, ids],
    );
    await client.query("COMMIT");
  };
  const placeOf = async (): Promise<Place> => {
    const { url, headers } = stage.ours(workspace, "/v2/changes?cursor=now&limit=1");
    const page = (await (await fetch(url, { headers: headers ?? {} })).json()) as { next_cursor: string };
    const { rows } = await client.query<{ in: string; seq: string }>(
      "SELECT written_in AS in, seq FROM observations WHERE workspace_id = $1 ORDER BY written_in DESC, seq DESC LIMIT 1",
      [workspace.id],
    );
    return { cursor: page.next_cursor, ...(rows[0] as { in: string; seq: string }) };
  };
  try {
    await add(LONG - 100, "'score'");
    const often = await placeOf();
    await add(101, "'score'");
    const once = await placeOf();
    await add(101, "'trait_' || n.n");
    const end = await placeOf();
    await client.query("VACUUM ANALYZE observations, changes");
    return { workspace, observations: observations + LONG + 102, often, once, end, long, person: people[0] as string };
  } finally {
    await client.end();
  }
}
