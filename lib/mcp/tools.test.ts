import { expect, test } from "vitest";
import type { ApprovalMode, scopes } from "#lib/core/plans.ts";
import { countTokens } from "#lib/text/tokens.ts";
import { definitionFor, tools, toolsFor, wantedOf } from "./tools.ts";

/** Contract §8. */
const MOST_TOKENS = 4_500;

const listed = (held: (typeof scopes)[number], approval: ApprovalMode = "none") =>
  toolsFor({ scopes: [held], approval }, "all").map((tool) => definitionFor(tool, "free"));

test("the whole list of tools costs at most 4,500 tokens", () => {
  for (const approval of ["none", "writes"] as const)
    expect(countTokens(JSON.stringify({ tools: listed("admin", approval) }))).toBeLessThanOrEqual(MOST_TOKENS);
});

test("only callers whose writes need approval can ask what was decided", () => {
  const names = (approval: ApprovalMode) => listed("read", approval).map(({ name }) => name);
  expect(names("writes")).toContain("check_approval");
  expect(names("none")).not.toContain("check_approval");
});

test("the tools are those of contract §8 that there is an operation for, one for properties, and the two of connectors", () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(
    [
      ...["get_context", "get_account", "record", "query", "attention", "verify", "get_gtm_profile"],
      ...["update_gtm_profile", "save_note", "search_notes", "get_workspace_status", "set_workspace_profile"],
      ...["connect_integration", "build_scoring_model", "configure_crm_sync", "set_trigger", "list_triggers"],
      ...["list_properties", "search", "fetch", "check_approval", "create_task", "list_tasks", "update_task"],
      ...["what_changed", "score", "find_people", "add_to_list", "list_threads"],
    ].sort(),
  );
});

test("each parameter is described in one sentence, and each schema is an object that takes nothing else", () => {
  for (const { definition } of tools) {
    const { type, properties, additionalProperties } = definition.inputSchema as Record<string, unknown>;
    expect([type, additionalProperties], definition.name).toEqual(["object", false]);
    for (const [name, schema] of Object.entries(properties as Record<string, { description?: string }>))
      expect(schema.description, `${definition.name}.${name}`).toBeTruthy();
    expect(JSON.stringify(definition.inputSchema)).not.toContain("$ref");
  }
});

test("a tool whose feature the plan lacks says which plan has it", () => {
  const [tool] = tools;
  if (!tool) throw new Error("there is no tool");
  const gated = { ...tool, feature: "crm_sync" as const };
  expect(definitionFor(gated, "free").description).toBe(`Needs the plan growth. ${tool.definition.description}`);
  expect(definitionFor(gated, "growth")).toBe(tool.definition);
});

test("a read key sees no tool that writes, but verify, which shows evidence", () => {
  const names = listed("read").map(({ name }) => name);
  expect(names).not.toContain("record");
  expect(names).not.toContain("connect_integration");
  expect(names).toContain("verify");
  expect(listed("write").map(({ name }) => name)).not.toContain("connect_integration");
});

test.each([
  ["", "all"],
  ["tools=all", "all"],
  ["tools=read", "read"],
  ["tools=get_context,record", ["get_context", "record"]],
])("?%s offers %j", (query, wanted) => {
  expect(wantedOf(query)).toEqual(wanted);
});

test("a name that no tool has is refused with the names there are", () => {
  expect(() => wantedOf("tools=get_context,delete_all")).toThrow(/no tool called delete_all/);
});

test("?tools=read offers only tools that say they only read", () => {
  const offered = toolsFor({ scopes: ["admin"] }, "read");
  expect(offered.map(({ definition }) => definition.annotations.readOnlyHint)).not.toContain(false);
  expect(offered.map(({ name }) => name)).not.toContain("verify");
});
