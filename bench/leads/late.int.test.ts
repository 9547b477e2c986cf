import { expect, test } from "vitest";
import { listLeads } from "#lib/domain/leads/service.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { fillLeads } from "./fill.ts";

test("leads that come late are listed in order, page by page, be they few or many", async () => {
  const workspace = await createTestWorkspace();
  // Leads are sent in the order they were made: the first thousand of the list were sent today.
  const { large } = await fillLeads(database.adminUrl, workspace.id, 55_000);
  for (const [list, least] of [
    [{ list_id: large }, 5_000],
    [{}, 20_001],
  ] as const) {
    const expected = await inspect<{ id: string }>(
      `SELECT id FROM leads WHERE workspace_id = $1 AND status = 'sent' AND sent_at < now() - interval '1 day' AND list_id = coalesce($2, list_id)
       ORDER BY created_at DESC, id DESC`,
      [workspace.id, "list_id" in list ? list.list_id : null],
    );
    expect(expected.length).toBeGreaterThan(least);
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null && ids.length < 3_000; ) {
      const input = { ...list, status: "sent", sent_before: "1d", limit: 1_000, ...(cursor ? { cursor } : {}) };
      const page = await listLeads.execute(workspace.caller, input);
      ids.push(...page.leads.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(ids).toEqual(expected.slice(0, 3_000).map(({ id }) => id));
  }
}, 120_000);
