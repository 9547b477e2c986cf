/**
 * The server Rapport is measured against: node:http and pg, no framework, no authentication, no row level security, no
 * validation; each address runs the statements the same operation of Rapport needs. Started by bench/run.ts.
 */
import { randomUUID } from "node:crypto";
import http from "node:http";
import pg from "pg";

const [url, workspaceId] = process.argv.slice(2);
if (!url || !workspaceId) throw new Error("usage: bare.ts <database url> <workspace id>");

const pool = new pg.Pool({ connectionString: url, max: 10 });

const select = {
  name: "facts",
  text: `SELECT property, value, category, method::text, source, source_count, conflicts, recorded_at, last_observed_at, supersedes
    FROM claims WHERE workspace_id = $1 AND category IS NOT NULL AND ended_at IS NULL ORDER BY seq DESC LIMIT $2`,
};
const current = {
  name: "current",
  text: "SELECT property FROM claims WHERE workspace_id = $1 AND category = $2 AND ended_at IS NULL",
};
const evidence = {
  name: "evidence",
  text: "SELECT id, seq, property, value, source, observed_at, recorded_at FROM observations WHERE workspace_id = $1 AND entity_id = $1 AND property = ANY($2) ORDER BY seq",
};
const insert = {
  name: "insert",
  text: `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, actor)
    SELECT $1, id, $1, 'state', property, value, 'api', 'asserted', now(), now(), 'bare' FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) AS n(id, property, value) RETURNING seq`,
};
const claim = {
  name: "claim",
  text: `INSERT INTO claims (workspace_id, id, entity_id, property, value, category, method, source, observation_id, observation_count, source_count, recorded_at, last_observed_at, seq)
    VALUES ($1, $2, $1, $3, $4, $5, 'asserted', 'api', $2, 1, 1, now(), now(), $6)`,
};
const end = {
  name: "end",
  text: "UPDATE claims SET ended_at = now(), superseded_by = $3 WHERE workspace_id = $1 AND entity_id = $1 AND property = ANY($2)",
};

async function replace(body: { section: string; content: string }): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query({
      name: "lock",
      text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
      values: [workspaceId],
    });
    const old = (await client.query({ ...current, values: [workspaceId, body.section] })).rows.map(
      (row) => row.property as string,
    );
    await client.query({ ...evidence, values: [workspaceId, old] });
    const id = randomUUID();
    const value = JSON.stringify({ category: body.section, content: body.content });
    const ids = [id, ...old.map(() => randomUUID())];
    const inserted = await client.query({
      ...insert,
      values: [workspaceId, ids, [`note.${id}`, ...old], [value, ...old.map(() => "null")]],
    });
    await client.query({
      ...claim,
      values: [workspaceId, id, `note.${id}`, value, body.section, inserted.rows[0].seq],
    });
    await client.query({ ...end, values: [workspaceId, old, id] });
    await client.query("COMMIT");
    return JSON.stringify({ fact: { id, category: body.section, content: body.content }, superseded: old.length > 0 });
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
  if (request.url === "/ping") return send(response, 200, '{"ok":true}');
  if (request.method === "GET") {
    pool.query({ ...select, values: [workspaceId, 50] }).then(
      ({ rows }) => send(response, 200, JSON.stringify({ facts: rows, count: rows.length })),
      (error: Error) => send(response, 500, JSON.stringify({ error: error.message })),
    );
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    replace(JSON.parse(Buffer.concat(chunks).toString())).then(
      (body) => send(response, 201, body),
      (error: Error) => send(response, 500, JSON.stringify({ error: error.message })),
    );
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
