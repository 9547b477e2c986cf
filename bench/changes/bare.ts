/**
 * The bare server of the feed of changes: node:http and pg as a superuser, no authentication, no row level security, no
 * validation, no cursors. Its addresses read what `GET /v2/changes` reads and return the rows as they are:
 * `/<workspace>/<page|types|focus>?in=&seq=&types=&id=`.
 */
import http from "node:http";
import pg from "pg";

const [url] = process.argv.slice(2);
if (!url) throw new Error("usage: bare.ts <database url>");
const pool = new pg.Pool({ connectionString: url, max: 10 });

const PLACE = "(written_in, seq) > ($2::bigint, $3::bigint) AND written_in < rapport_settled()";
const OBSERVED = `SELECT written_in, seq, CASE WHEN kind = 'event' THEN CASE WHEN property = 'note.saved' THEN 'note' ELSE 'activity' END
    WHEN property = 'pipeline_stage' THEN 'stage' WHEN entity_id = workspace_id THEN 'fact' ELSE 'state' END AS type,
  id, entity_id, property, value, source, actor, caused_by, recorded_at AS at FROM observations`;
const HAPPENED = "SELECT written_in, seq, type, merge_id, entity_id, NULL, NULL, source, actor, NULL, at FROM changes";

const inOrder = (limit: number, whose = "") => `SELECT * FROM (
   (${OBSERVED} WHERE workspace_id = $1 AND ${PLACE} ${whose} ORDER BY written_in, seq LIMIT ${limit})
   UNION ALL
   (${HAPPENED} WHERE workspace_id = $1 AND ${PLACE} ${whose} ORDER BY written_in, seq LIMIT ${limit})
 ) AS either ORDER BY written_in, seq LIMIT ${limit}`;

// A change of a record that was merged is one of the record that was kept: without this the answer is another one.
const shown = (
  from: string,
) => `SELECT l.*, coalesce(e.merged_into, l.entity_id) AS about_id, coalesce(p.first_name || ' ' || p.last_name, p.email, c.name, c.domain) AS entity_name,
     previous.value AS previous
   FROM (${from}) AS l
   LEFT JOIN entities e ON e.workspace_id = $1 AND e.id = l.entity_id
   LEFT JOIN people p ON p.workspace_id = $1 AND p.id = coalesce(e.merged_into, l.entity_id)
   LEFT JOIN companies c ON c.workspace_id = $1 AND c.id = coalesce(e.merged_into, l.entity_id)
   LEFT JOIN LATERAL (
     SELECT o.value FROM observations o WHERE o.workspace_id = $1 AND o.entity_id = coalesce(e.merged_into, l.entity_id) AND o.property = l.property COLLATE "C"
       AND o.seq < l.seq AND o.kind = 'state' ORDER BY o.seq DESC LIMIT 1
   ) AS previous ON l.type IN ('state', 'stage', 'fact')
   ORDER BY l.written_in, l.seq`;

const texts: Readonly<Record<string, string>> = {
  page: shown(inOrder(101)),
  // As many rows are looked at as ours looks at.
  types: shown(`SELECT * FROM (${inOrder(20_000)}) AS looked WHERE type = ANY($4::text[]) LIMIT 101`),
  focus: shown(inOrder(101, "AND entity_id = $4::uuid")),
};

const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://bare");
  const [, workspaceId = "", what = ""] = pathname.split("/");
  const more = searchParams.get("types")?.split(",") ?? searchParams.get("id");
  const values = [workspaceId, searchParams.get("in"), searchParams.get("seq"), ...(more === null ? [] : [more])];
  pool.query({ name: what, text: texts[what] ?? "", values }).then(
    ({ rows }) => answer(200, { changes: rows.slice(0, 100), has_more: rows.length > 100 }),
    (error: Error) => answer(500, { error: error.message }),
  );
  const answer = (status: number, value: unknown) => {
    const body = JSON.stringify(value);
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  };
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
