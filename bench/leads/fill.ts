import pg from "pg";

export type LeadsFixture = {
  /** a list with 40 % of the leads, and one with a hundred */
  large: string;
  small: string;
  person: string;
};

/** Lists, and how many of 1,000 leads are in each. */
const LISTS = 12;
const REPLIED = 50;

/**
 * Fills a workspace with leads by straight SQL: half of them pending, 42 % sent, 5 % replied, 3 % bounced; a tenth without
 * e-mail, two thirds with a score. The newest were sent last, and replies and bounces are spread over all.
 */
export async function fillLeads(url: string, workspaceId: string, leads: number): Promise<LeadsFixture> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT set_config('rapport.workspace_id', $1, false)", [workspaceId]);
    const { rows: lists } = await client.query<{ id: string }>(
      `INSERT INTO lead_lists (workspace_id, id, name, source, columns)
       SELECT $1, uuidv7(), 'List ' || n, 'bench', '{title,industry}' FROM generate_series(1, $2::int) AS n RETURNING id`,
      [workspaceId, LISTS],
    );
    const ids = lists.map(({ id }) => id);
    await client.query(
      `INSERT INTO entities (workspace_id, id, type, is_lead) SELECT $1, uuidv7(), 'person', true FROM generate_series(1, $2::int)`,
      [workspaceId, leads],
    );
    await client.query(
      `INSERT INTO leads (workspace_id, id, list_id, entity_id, added_as, email, name, company, linkedin_url, status, sent_at, replied_at, bounced_at, reply_outcome, score, fields, created_at, updated_at)
       SELECT $1, uuidv7(), list, id, id, CASE WHEN n % 10 > 0 THEN 'lead' || n || '@company' || n % 5000 || '.com' END, 'Lead ' || n, 'Company ' || n % 5000,
         'https://www.linkedin.com/in/lead-' || n, status::lead_status,
         CASE WHEN status <> 'pending' THEN now() - make_interval(secs => ($2 - n) * 40) END,
         CASE WHEN status = 'replied' THEN now() - make_interval(secs => ($2 - n) * 30) END,
         CASE WHEN status = 'bounced' THEN now() - make_interval(secs => ($2 - n) * 40) END,
         CASE WHEN status = 'replied' AND luck % 7 < 5 THEN (ARRAY['interested','objection','wrong_fit','unsubscribe','objection'])[1 + luck % 5]::reply_outcome END,
         CASE WHEN n % 3 > 0 THEN (luck % 101) / 100.0 END,
         jsonb_build_object('title', 'Title ' || n % 40, 'industry', 'Industry ' || n % 20),
         now() - make_interval(secs => ($2 - n) * 60), now()
       FROM (
         SELECT id, n, luck, ($3::uuid[])[CASE WHEN n <= 100 THEN 2 WHEN n % 10 < 4 THEN 1 ELSE 3 + n % ($4 - 2) END] AS list,
           CASE WHEN luck % 1000 < $5 THEN 'replied' WHEN luck % 1000 < $5 + 30 THEN 'bounced' WHEN n % 2 = 0 THEN 'pending' ELSE 'sent' END AS status
         FROM (
           SELECT id, n, (n * 7919) % 100003 AS luck FROM (
             SELECT id, row_number() OVER (ORDER BY id)::int AS n FROM entities WHERE workspace_id = $1 AND type = 'person'
           ) AS numbered
         ) AS lucky
       ) AS drawn`,
      [workspaceId, leads, ids, LISTS, REPLIED],
    );
    await client.query("VACUUM ANALYZE entities, lead_lists, leads");
    const { rows } = await client.query<{ id: string }>(
      "SELECT entity_id AS id FROM leads WHERE workspace_id = $1 LIMIT 1",
      [workspaceId],
    );
    return { large: ids[0] as string, small: ids[1] as string, person: rows[0]?.id as string };
  } finally {
    await client.end();
  }
}
