/** Whole jobs of an agent by tools alone, with the official client: what each answer must hold to go on. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { addIdentifier } from "#lib/domain/knowledge/contacts/service.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const server = useServer();

type Result = { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, unknown> };
type Given = Record<string, unknown>;

/** A workspace and an agent in it. `call` gives the text that the model reads, `refused` the text of a refusal. */
async function agent() {
  const workspace = await createTestWorkspace();
  const client = new Client({ name: "agent", version: "1.0" });
  const requestInit = { headers: { authorization: `Bearer ${await workspace.key()}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url()}/mcp`), { requestInit }));
  const send = async (name: string, given: Given) => (await client.callTool({ name, arguments: given })) as Result;
  return {
    workspace,
    async call(name: string, given: Given = {}) {
      const { isError, content, structuredContent } = await send(name, given);
      expect(isError, `${name}: ${content[0]?.text}`).toBeFalsy();
      return { text: content[0]?.text ?? "", structured: structuredContent };
    },
    async refused(name: string, given: Given = {}) {
      const { isError, content } = await send(name, given);
      expect(isError, `${name} is refused`).toBe(true);
      return content[0]?.text ?? "";
    },
  };
}

const LINKEDIN = "https://www.linkedin.com/in/anna-smith";

const state = (property: string, value: unknown) => ({ kind: "state", property, value });

test("one way to say who: a name, a name with its company, an e-mail, a LinkedIn URL and an id mean the same record", async () => {
  const { workspace, call, refused } = await agent();
  const { structured } = await call("record", {
    focus: "anna@acme.com",
    observations: [state("first_name", "Anna"), state("last_name", "Smith"), state("job_title", "VP Sales")],
  });
  const id = structured.entity_id as string;
  await addIdentifier.execute(workspace.caller, { focus: id, kind: "linkedin_url", value: LINKEDIN });
  await call("record", { focus: "acme.com", observations: [state("name", "Acme")] });
  await call("record", {
    focus: "anna@globex.com",
    observations: [state("first_name", "Anna"), state("last_name", "Jones")],
  });
  for (const focus of ["Anna Smith", "Anna at Acme", "anna (acme)", "anna@acme.com", LINKEDIN, id]) {
    expect((await call("get_context", { focus })).text, focus).toContain(`entity id: ${id}`);
    expect((await call("get_account", { id: focus })).text, focus).toContain(`entity id: ${id}`);
    expect((await call("verify", { focus, property: "job_title" })).text, focus).toContain(id);
    expect((await call("save_note", { focus, content: `By ${focus}` })).text, focus).toContain(id);
    expect((await call("record", { focus, observations: [state("seniority", "vp")] })).text, focus).toContain(id);
    expect((await call("create_task", { focus, title: `By ${focus}` })).structured, focus).toMatchObject({
      task: { entity_id: id },
    });
  }
  expect((await call("list_tasks", { focus: "Anna at Acme" })).text).toContain("By Anna Smith");
  for (const refusal of [
    (await call("get_context", { focus: "Anna" })).text,
    await refused("record", { focus: "Anna", observations: [state("budget", 1)] }),
  ]) {
    expect(refusal).toContain(`${id} Anna Smith (VP Sales at Acme · anna@acme.com)`);
    expect(refusal).toContain("Anna Jones");
  }
  for (const refusal of [
    await refused("get_context", { focus: "Ana Smit" }),
    await refused("create_task", { focus: "Ana Smit", title: "Call" }),
  ])
    expect(refusal).toMatch(new RegExp(`nearest: \\n<data>\\n- ${id} Anna Smith`));
});
