/** Whole jobs of an agent by tools alone, with the official client: what each answer must hold to go on. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const server = useServer();

type Result = { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, unknown> };

describe("all fintech CFOs in Europe that nobody contacted for 30 days with a score over 70, into a list", () => {
  test("find_people finds them, and add_to_list takes the same filters", async () => {
    const workspace = await createTestWorkspace();
    const client = new Client({ name: "agent", version: "1.0" });
    const requestInit = { headers: { authorization: `Bearer ${await workspace.key()}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url()}/mcp`), { requestInit }));
    const call = async (name: string, given: Record<string, unknown>) => {
      const result = (await client.callTool({ name, arguments: given })) as Result;
      expect(result.isError, `${name}: ${result.content[0]?.text}`).toBeFalsy();
      return { text: result.content[0]?.text ?? "", structured: result.structuredContent };
    };
    const record = (focus: string, fields: Record<string, unknown>, events: object[] = []) =>
      call("record", {
        focus,
        observations: [
          ...Object.entries(fields).map(([property, value]) => ({ kind: "state", property, value })),
          ...events,
        ],
      });
    const sent = [{ kind: "event", property: "email_sent", value: {} }];
    await record("acme.de", { name: "Acme", industry: "Fintech", country: "Deutschland" });
    await record("umbra.com", { name: "Umbra", industry: "Fintech", country: "US" });
    await record("anna@acme.de", {
      first_name: "Anna",
      last_name: "Smith",
      job_title: "Finanzvorstand",
      icp_score: 90,
    });
    await record("bob@acme.de", { first_name: "Bob", job_title: "CFO", icp_score: 90 }, sent);
    await record("carla@acme.de", { first_name: "Carla", job_title: "CFO", icp_score: 50 });
    await record("dora@umbra.com", { first_name: "Dora", job_title: "CFO", icp_score: 90 });

    const filters = {
      title: "CFO",
      company: { industry: "fintech", region: "Europe" },
      not_contacted_for: "30d",
      min_icp_score: 71,
    };
    const found = await call("find_people", filters);
    expect(found.text).toContain("1 match, 1 shown.");
    expect(found.text).toMatch(
      /- Anna Smith: Finanzvorstand at Acme, anna@acme\.de, score 90, identified, never active \[[0-9a-f-]{36}\]/,
    );
    expect(found.structured).toMatchObject({ total: { count: 1, capped: false }, next_cursor: null });

    const added = await call("add_to_list", { list: "Fintech CFOs, Europe", filters });
    const [, list] = /list id: ([0-9a-f-]{36})/.exec(added.text) ?? [];
    await expect
      .poll(async () => (await call("find_people", { list_id: list })).text, { timeout: 30_000 })
      .toContain("Anna Smith");
    expect((await call("find_people", { list_id: list })).text).toContain("1 match, 1 shown.");
    const again = await call("add_to_list", { list: "fintech cfos, europe", filters: { title: "CTO" } });
    expect(again.text).toContain(`list id: ${list}`);
    await client.close();
  });
});
