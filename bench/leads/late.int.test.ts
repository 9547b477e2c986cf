import { afterEach, expect, test, vi } from "vitest";
import { listLeads } from "#lib/domain/crm/leads/service.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { fillLeads } from "./fill.ts";

const before = (days: number) => `(sent_at < $2::timestamptz - interval '${days} days' OR sent_at IS NULL)`;
const within = (days: number) => `sent_at >= $2::timestamptz - interval '${days} days'`;

afterEach(() => vi.useRealTimers());

test("leads that come late are listed in order, page by page, be they few or many", async () => {
  const workspace = await createTestWorkspace();
  // Leads are sent in the order they were made: the first thousand of the list were sent today.
  const { large, small } = await fillLeads(database.adminUrl, workspace.id, 55_000);
  // So that no lead becomes older than a limit meanwhile.
  const now = new Date();
  vi.useFakeTimers({ toFake: ["Date"], now });
  const ofList = (id: string) => `list_id = '${id}'`;
  for (const [input, where, least] of [
    [
      { list_id: large, status: "sent", sent_before: "1d" },
      `status = 'sent' AND ${before(1)} AND ${ofList(large)}`,
      5_000,
    ],
    [{ status: "sent", sent_before: "1d" }, `status = 'sent' AND ${before(1)}`, 20_001],
    [{ sent_before: "20d" }, before(20), 20_001],
    [{ sent_before: "20d", sort: "created_asc" }, before(20), 20_001],
    [{ status: "replied,bounced", sent_before: "20d" }, `status IN ('replied', 'bounced') AND ${before(20)}`, 50],
    [{ list_id: small, sent_before: "1d" }, `${before(1)} AND ${ofList(small)}`, 100],
    [{ sent_within: "20d", sort: "created_asc" }, within(20), 20_001],
    [{ sent_within: "8d", sort: "created_asc" }, within(8), 5_001],
    [{ sent_within: "1d", sort: "created_asc" }, within(1), 500],
    [{ list_id: large, sent_within: "20d", sort: "created_asc" }, `${within(20)} AND ${ofList(large)}`, 5_001],
    [{ status: "pending", sent_within: "20d", sort: "created_asc" }, `status = 'pending' AND ${within(20)}`, 0],
    [{ sent_within: "20d", sent_before: "8d", sort: "created_asc" }, `${within(20)} AND ${before(8)}`, 5_001],
    [{ sent_within: "20d", sort: "score_desc" }, within(20), 20_001],
  ] as const) {
    const orders = {
      created_desc: "created_at DESC, id DESC",
      created_asc: "created_at, id",
      score_desc: "score DESC NULLS LAST, id DESC",
    };
    const order = orders["sort" in input ? input.sort : "created_desc"];
    const expected = await inspect<{ id: string }>(
      `SELECT id FROM leads WHERE workspace_id = $1 AND $2::timestamptz IS NOT NULL AND ${where} ORDER BY ${order}`,
      [workspace.id, now],
    );
    expect(expected.length, JSON.stringify(input)).toBeGreaterThanOrEqual(least);
    for (const limit of [1_000, 90]) {
      const most = 3 * limit;
      const ids: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null && ids.length < most; ) {
        const page = await listLeads.execute(workspace.caller, { ...input, limit, ...(cursor ? { cursor } : {}) });
        ids.push(...page.leads.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(ids, JSON.stringify(input)).toEqual(expected.slice(0, most).map(({ id }) => id));
    }
  }
}, 120_000);
