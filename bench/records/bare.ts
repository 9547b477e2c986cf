/**
 * The bare server of the contact record: node:http and pg as a superuser, no authentication, no row level security, no
 * validation, no ranking. Each address reads what the same operation of Rapport reads and returns the rows as they are.
 */
import http from "node:http";
import pg from "pg";

const [url] = process.argv.slice(2);
if (!url) throw new Error("usage: bare.ts <database url>");
const pool = new pg.Pool({ connectionString: url, max: 10 });

const COLUMNS =
  "id, email, first_name, last_name, job_title, company, company_id, linkedin_url, phone, source, status, created_at, custom, pipeline_stage, icp_score, last_activity_at";

/** Conditions by query parameter; `$2` is the parameter's value. */
const conditions: Readonly<Record<string, string>> = {
  pipeline_stage: "pipeline_stage = $2::pipeline_stage",
  source: "source = $2",
  has_email: "(email IS NOT NULL) = $2::boolean",
  has_linkedin: "(linkedin_url IS NOT NULL) = $2::boolean",
  last_activity_before: "(last_activity_at < now() - $2::interval OR last_activity_at IS NULL)",
  last_activity_after: "last_activity_at >= now() - $2::interval",
  company_id: "company_id = $2",
  email: "email = $2",
  search: "search LIKE '%' || $2 || '%'",
};

async function people(workspaceId: string, parameters: URLSearchParams) {
  const [filter] = [...parameters.keys()].filter((name) => name in conditions);
  const where = filter ? `AND ${conditions[filter]}` : "";
  const offset = Number(parameters.get("offset") ?? 0);
  const { rows } = await pool.query({
    ...(filter === "search" ? {} : { name: `people_${filter ?? "all"}_${offset}` }),
    text: `SELECT ${COLUMNS} FROM people WHERE workspace_id = $1 AND status = 'active' ${where}
      ORDER BY last_activity_at DESC NULLS LAST, id DESC LIMIT 101 OFFSET ${offset}`,
    values: filter ? [workspaceId, parameters.get(filter)] : [workspaceId],
  });
  return { people: rows.slice(0, 100), limit: 100, offset };
}

const statement = (name: string, text: string) => async (values: unknown[]) =>
  (await pool.query({ name, text, values })).rows;

const entity = statement(
  "entity",
  "SELECT e.id, e.type, e.status FROM identifiers i JOIN entities e ON e.workspace_id = i.workspace_id AND e.id = i.entity_id WHERE i.workspace_id = $1 AND i.kind = 'email' AND i.value = $2 AND i.retired_at IS NULL",
);
const identifiers = statement(
  "identifiers",
  "SELECT kind, value FROM identifiers WHERE workspace_id = $1 AND entity_id = $2 AND retired_at IS NULL",
);
const claims = statement(
  "claims",
  "SELECT property, value, method, source, observation_count, source_count, recorded_at, last_observed_at, conflicts FROM claims WHERE workspace_id = $1 AND entity_id = $2 AND ended_at IS NULL",
);
const recent = statement(
  "recent",
  "SELECT id, kind, property, value, source, observed_at, recorded_at FROM observations WHERE workspace_id = $1 AND entity_id = $2 ORDER BY seq DESC LIMIT 50",
);
const events = statement(
  "events",
  "SELECT id, property, value, source, observed_at FROM observations WHERE workspace_id = $1 AND entity_id = $2 AND kind = 'event' ORDER BY observed_at DESC, seq DESC LIMIT 40",
);
const documents = statement(
  "documents",
  "SELECT id, type, title, date, left(content, 400) AS snippet FROM notes WHERE workspace_id = $1 AND entity_id = $2 ORDER BY date DESC, id DESC LIMIT 12",
);
const person = statement("person", `SELECT ${COLUMNS} FROM people WHERE workspace_id = $1 AND id = $2`);
const colleagues = statement(
  "colleagues",
  "SELECT c.id, c.first_name, c.last_name, c.job_title FROM people p JOIN people c ON c.workspace_id = p.workspace_id AND c.company_id = p.company_id AND c.id <> p.id WHERE p.workspace_id = $1 AND p.id = $2 ORDER BY c.last_activity_at DESC NULLS LAST LIMIT 8",
);
const facts = statement(
  "facts",
  "SELECT property, value, category, method, source, recorded_at, last_observed_at FROM claims WHERE workspace_id = $1 AND category IS NOT NULL AND ended_at IS NULL ORDER BY seq DESC LIMIT 60",
);

async function account(workspaceId: string, email: string) {
  const [found] = await entity([workspaceId, email]);
  const key = [workspaceId, found?.id];
  const all = await Promise.all([
    identifiers(key),
    claims(key),
    recent(key),
    documents(key),
    person(key),
    colleagues(key),
  ]);
  return { entity: found, all };
}

async function context(workspaceId: string, email: string) {
  const [found] = await entity([workspaceId, email]);
  const key = [workspaceId, found?.id];
  const all = await Promise.all([
    facts([workspaceId]),
    claims(key),
    events(key),
    documents(key),
    person(key),
    colleagues(key),
  ]);
  return { entity: found, all };
}

function send(response: http.ServerResponse, work: Promise<unknown>): void {
  const answer = (status: number, value: unknown) => {
    const body = JSON.stringify(value);
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  };
  work.then(
    (value) => answer(200, value),
    (error: Error) => answer(500, { error: error.message }),
  );
}

const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://bare");
  const [, workspaceId = "", what, rest = ""] = pathname.split("/");
  if (what === "people") return send(response, people(workspaceId, searchParams));
  if (what === "accounts") return send(response, account(workspaceId, decodeURIComponent(rest)));
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () =>
    send(response, context(workspaceId, (JSON.parse(Buffer.concat(chunks).toString()) as { focus: string }).focus)),
  );
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
