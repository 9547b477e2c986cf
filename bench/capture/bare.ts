/**
 * The bare server of capture: node:http and pg as a superuser, no authentication, no row level security, no validation,
 * no rules except "this type means that stage". It writes the same things in one transaction: the activity, the stage
 * with its belief, the person's and the company's last activity. The workspace has no triggers, so no event is kept.
 */
import { randomUUID } from "node:crypto";
import http from "node:http";
import pg from "pg";

const [url, workspaceId] = process.argv.slice(2);
if (!url || !workspaceId) throw new Error("usage: bare.ts <database url> <workspace id>");
const pool = new pg.Pool({ connectionString: url, max: 10 });

type Signal = { email: string; type: string; source: string; external_id: string };

const stages = ["identified", "aware", "interested", "evaluating", "client"];
const meaning: Readonly<Record<string, string>> = {
  website_visit: "aware",
  email_opened: "aware",
  email_received: "interested",
  meeting_scheduled: "evaluating",
};

const statements = {
  // By all columns of the key: with a plain join, Postgres 18 skips through the index for every contact of the source.
  known: `SELECT o.id, o.entity_id, o.stage_before, o.stage_after FROM identifiers i
    CROSS JOIN LATERAL (SELECT * FROM observations WHERE workspace_id = $1 AND entity_id = i.entity_id AND source = $3 AND external_id = $4 LIMIT 1) AS o
    WHERE i.workspace_id = $1 AND i.kind = 'email' AND i.value = $2 AND i.retired_at IS NULL`,
  contact: `SELECT p.id, p.pipeline_stage AS stage, p.company_id AS company FROM identifiers i JOIN people p ON p.workspace_id = i.workspace_id AND p.id = i.entity_id
    WHERE i.workspace_id = $1 AND i.kind = 'email' AND i.value = $2 AND i.retired_at IS NULL FOR UPDATE OF p`,
  activity: `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id, stage_before, stage_after, actor)
    VALUES ($1, $2, $3, 'event', $4, $5, $6, 'observed', now(), now(), $7, $8, $9, 'bare')`,
  move: `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, caused_by, actor)
    VALUES ($1, $2, $3, 'state', 'pipeline_stage', $4, $5, 'asserted', now(), now(), $6, 'bare') RETURNING seq`,
  belief: `INSERT INTO claims (workspace_id, id, entity_id, property, value, method, source, observation_id, observation_count, source_count, recorded_at, last_observed_at, seq)
    VALUES ($1, $2, $3, 'pipeline_stage', $4, 'asserted', $5, $2, 1, 1, now(), now(), $6)
    ON CONFLICT (workspace_id, entity_id, property) DO UPDATE SET value = excluded.value, source = excluded.source, observation_id = excluded.observation_id, recorded_at = now(), last_observed_at = now(), seq = excluded.seq`,
  person:
    "UPDATE people SET last_activity_at = now(), pipeline_stage = $3::pipeline_stage WHERE workspace_id = $1 AND id = $2",
  company: "UPDATE companies SET last_activity_at = now() WHERE workspace_id = $1 AND id = $2",
} as const;

async function capture({ email, type, source, external_id }: Signal): Promise<string> {
  const match = await pool.query({
    name: "known",
    text: statements.known,
    values: [workspaceId, email, source, external_id],
  });
  if (match.rows[0]) return JSON.stringify({ ok: true, ...match.rows[0], deduplicated: true });
  const client = await pool.connect();
  const run = (name: keyof typeof statements, ...values: unknown[]) =>
    client.query({ name, text: statements[name], values: [workspaceId, ...values] });
  try {
    await client.query("BEGIN");
    const [contact] = (await run("contact", email)).rows;
    const id = randomUUID();
    const to = meaning[type];
    const after = to && stages.indexOf(to) > stages.indexOf(contact.stage) ? to : contact.stage;
    await run("activity", id, contact.id, `interaction.${type}`, "{}", source, external_id, contact.stage, after);
    if (after !== contact.stage) {
      const move = randomUUID();
      const [{ seq }] = (await run("move", move, contact.id, JSON.stringify(after), source, id)).rows;
      await run("belief", move, contact.id, JSON.stringify(after), source, seq);
    }
    await run("person", contact.id, after);
    if (contact.company) await run("company", contact.company);
    await client.query("COMMIT");
    return JSON.stringify({
      ok: true,
      activity_id: id,
      contact_id: contact.id,
      stage_before: contact.stage,
      stage_after: after,
    });
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

function send(response: http.ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    capture(JSON.parse(Buffer.concat(chunks).toString())).then(
      (body) => send(response, 200, body),
      (error: Error) => send(response, 500, JSON.stringify({ error: error.message })),
    );
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
