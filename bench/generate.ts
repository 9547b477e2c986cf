/**
 * Fills a database with contacts in bulk: straight SQL, but with the claims and rows that the app's own rules derive, so
 * that `rapport admin rebuild` finds no difference.
 */
import pg from "pg";
import { newId } from "#lib/core/ids.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { seeded } from "./contacts/invent.ts";
import { addCompany, addPerson, type Clock, type Company, noRows, type Rows } from "./contacts/rows.ts";

export type Plan = {
  /** A superuser or the owner of the tables. */
  url: string;
  /** The large workspace; it must exist. */
  workspaceId: string;
  people: number;
  companies: number;
  observationsPerPerson: number;
  /** How many other workspaces to make, each with a thousandth of the people, at least 50. */
  workspaces: number;
};

export type GeneratedContacts = { observations: number; people: string[]; neighbours: string[] };

const BATCH = 2_000;
/** How many people work at the first company of a large workspace: more than a page. */
const LARGE_COMPANY = 300;

export async function generateContacts(plan: Plan): Promise<GeneratedContacts> {
  const client = new pg.Client({ connectionString: plan.url });
  await client.connect();
  try {
    const people: string[] = [];
    let observations = await fill(client, plan.workspaceId, plan, 1, people);
    const neighbours: string[] = [];
    const small = {
      ...plan,
      people: Math.max(50, Math.round(plan.people / 1000)),
      companies: Math.max(10, Math.round(plan.companies / 1000)),
    };
    for (let index = 0; index < plan.workspaces; index++) {
      const id = newId();
      await client.query("INSERT INTO workspaces (id, name) VALUES ($1, $2)", [id, `Neighbour ${index}`]);
      observations += await fill(client, id, small, 100 + index, []);
      neighbours.push(id);
    }
    await client.query(
      "VACUUM ANALYZE entities, identifiers, observations, claims, people, companies, property_values",
    );
    return { observations, people, neighbours };
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, workspaceId: string, plan: Plan, seed: number, ids: string[]): Promise<number> {
  const random = seeded(seed);
  const clock = await clockOf(client, plan);
  const perCompany = plan.people / plan.companies;
  const large = plan.people >= 10_000 ? LARGE_COMPANY : 0;
  let rows = noRows();
  let written = 0;
  let person = 0;
  rows.entities.push({ id: workspaceId, type: "workspace", created_at: clock.now() });
  for (let index = 0; index < plan.companies; index++) {
    const company: Company = addCompany(rows, clock, random, index);
    for (; person < Math.max(large, Math.round((index + 1) * perCompany)); person++) {
      ids.push(addPerson(rows, clock, random, person, company, plan.observationsPerPerson));
    }
    if (rows.entities.length < BATCH && index < plan.companies - 1) continue;
    written += rows.observations.length;
    await insert(client, workspaceId, rows);
    rows = noRows();
  }
  return written;
}

/** Learned over the last 30 days, in the order of the seqs. */
async function clockOf(client: pg.Client, plan: Plan): Promise<Clock> {
  const most = plan.people * (Math.max(4, plan.observationsPerPerson) + 6) + plan.companies * 4 + 10;
  const { rows } = await client.query<{ last: string }>(
    "SELECT setval(pg_get_serial_sequence('observations', 'seq'), nextval(pg_get_serial_sequence('observations', 'seq')) + $1) AS last",
    [most],
  );
  const first = Number(rows[0]?.last) - most;
  const end = new Date();
  const step = (30 * DAY_MS) / most;
  let used = 0;
  return {
    start: new Date(end.getTime() - 30 * DAY_MS),
    end,
    nextSeq: () => first + used++,
    now: () => new Date(end.getTime() - 30 * DAY_MS + Math.floor(used * step)),
  };
}

const columns: Record<keyof Rows, string> = {
  entities: "id uuid, type entity_type, created_at timestamptz",
  identifiers: "id uuid, entity_id uuid, kind text, value text, created_at timestamptz",
  observations:
    "id uuid, seq bigint, entity_id uuid, kind observation_kind, property text, value jsonb, source text, method method, observed_at timestamptz, recorded_at timestamptz, actor text",
  claims:
    "id uuid, entity_id uuid, property text, value jsonb, method method, source text, observation_id uuid, observation_count int, source_count int, recorded_at timestamptz, last_observed_at timestamptz, seq bigint, conflicts jsonb",
  companies:
    "id uuid, domain text, name text, industry text, country text, source text, created_at timestamptz, updated_at timestamptz, search text, people_count int, last_activity_at timestamptz",
  people:
    "id uuid, email text, first_name text, last_name text, job_title text, company text, company_id uuid, linkedin_url text, pipeline_stage pipeline_stage, last_activity_at timestamptz, source text, created_at timestamptz, updated_at timestamptz, custom jsonb, search text, wire text",
  property_values: "entity_id uuid, property text, subject entity_type, folded text, number float8, time timestamptz",
};

const order = ["entities", "identifiers", "observations", "claims", "companies", "people", "property_values"] as const;

async function insert(client: pg.Client, workspaceId: string, rows: Rows): Promise<void> {
  await client.query("BEGIN");
  await client.query("SELECT set_config('rapport.workspace_id', $1, true)", [workspaceId]);
  for (const table of order) {
    const names = columns[table].split(", ").map((column) => column.split(" ")[0]);
    await client.query(
      `INSERT INTO ${table} (workspace_id, ${names.join(", ")}) SELECT $1, ${names.join(", ")} FROM jsonb_to_recordset($2::jsonb) AS r(${columns[table]})
       ${table === "entities" ? "ON CONFLICT DO NOTHING" : ""}`,
      [workspaceId, JSON.stringify(rows[table])],
    );
  }
  await client.query("COMMIT");
}
