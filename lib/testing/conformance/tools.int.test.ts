/** Every tool over MCP beside the REST call behind it: the same answers, refusals and rights. */
import { describe, expect, test } from "vitest";
import type { Tool } from "#lib/core/operation.ts";
import { planHas, plans, scopes } from "#lib/core/plans.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { namingTools } from "#lib/mcp/words.ts";
import { useServer } from "../server.fixture.ts";
import { everyOperation } from "./cast.ts";
import { comparable } from "./comparable.ts";
import { inputOf } from "./scenarios.ts";
import { createStage } from "./stage.ts";
import { sender } from "./surface.ts";
import { mutationsOf } from "./wrong-values.ts";

const server = useServer();
const { send } = sender(server.url);

type Input = Record<string, unknown>;
type Result = {
  isError?: boolean;
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
};

const tools = everyOperation.flatMap(([name, operation]): [string, Operation, Tool][] =>
  operation.contract.tool ? [[name, operation, operation.contract.tool]] : [],
);

/** Calls a tool as a client without a session does. */
async function call(key: string, name: string, given: Input): Promise<Result> {
  const answered = await fetch(`${server.url()}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
  });
  const body = (await answered.json()) as { result?: Result; error?: unknown };
  expect(body.error, JSON.stringify(body)).toBeUndefined();
  return body.result as Result;
}

/** The fields the tool has, under its own names. */
function givenOf({ parameters }: Tool, input: Input): Input {
  const pairs = parameters.map((one) => (typeof one === "string" ? ([one, one] as const) : one));
  return Object.fromEntries(pairs.flatMap(([name, field]) => (field in input ? [[name, input[field]]] : [])));
}

const fieldsOf = ({ parameters }: Tool): string[] => parameters.map((one) => (typeof one === "string" ? one : one[1]));

/** What an input says in fields that the tool has too. */
const within = (tool: Tool, input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([field]) => fieldsOf(tool).includes(field)));

describe.each(tools)("%s as a tool", (name, operation, tool) => {
  test("gives the same as over REST, and a text", async () => {
    const [one, other] = [await createStage(), await createStage()];
    const [key, otherKey] = [await one.key(), await other.key()];
    const rest = await send(operation, within(tool, await inputOf(name, one)), { key });
    const result = await call(otherKey, tool.name, givenOf(tool, await inputOf(name, other)));
    expect(result.isError, result.content[0]?.text).toBeFalsy();
    operation.contract.output.parse(result.structuredContent);
    expect(comparable(result.structuredContent)).toEqual(comparable(namingTools(rest.body)));
    expect(result.content[0]?.text).toBeTruthy();
  });

  test("refuses each wrong value as REST does, and writes nothing", async () => {
    const stage = await createStage();
    const key = await stage.key();
    const right = within(tool, await inputOf(name, stage));
    const before = await stage.rows();
    for (const { what, input } of mutationsOf(operation.contract, right)) {
      const field = what.split(/[ .]/)[0] as string;
      if (!fieldsOf(tool).includes(field)) continue;
      const refused = await operation.execute(stage.caller, input).then(
        () => null,
        (error: { code: string }) => error.code,
      );
      const result = await call(key, tool.name, givenOf(tool, input));
      expect([result.isError, result.structuredContent.error], `${what}: ${result.content[0]?.text}`).toEqual([
        true,
        refused,
      ]);
      expect(result.content[0]?.text).toMatch(new RegExp(`^${refused}: `));
    }
    expect(await stage.rows()).toEqual(before);
  });

  test("refuses a parameter it does not have, and says which it has", async () => {
    const stage = await createStage();
    const given = { ...givenOf(tool, await inputOf(name, stage)), "No-Such-Field": 1 };
    const { structuredContent } = await call(await stage.key(), tool.name, given);
    const names = tool.parameters.map((one) => (typeof one === "string" ? one : one[0]));
    expect(structuredContent).toMatchObject({
      error: "unknown_parameter",
      parameter: "No-Such-Field",
      supported: names,
    });
  });

  test("needs exactly the scope and the plan its contract names", async () => {
    const { scope, feature } = operation.contract;
    for (const held of scopes) {
      const stage = await createStage();
      const result = await call(await stage.key([held]), tool.name, givenOf(tool, await inputOf(name, stage)));
      if (scopes.indexOf(held) >= scopes.indexOf(scope)) expect(result.isError, result.content[0]?.text).toBeFalsy();
      else expect(result.structuredContent).toMatchObject({ error: "insufficient_scope", required_scope: scope });
    }
    for (const held of plans) {
      const stage = await createStage(held);
      const result = await call(await stage.key(), tool.name, givenOf(tool, await inputOf(name, stage)));
      if (feature === undefined || planHas(held, feature)) expect(result.isError, result.content[0]?.text).toBeFalsy();
      else expect(result.structuredContent).toMatchObject({ error: "feature_not_in_plan", feature });
    }
  });
});
