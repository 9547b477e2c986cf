/** Every tool over MCP beside the REST call behind it: the same answers, refusals and rights. */
import { describe, expect, test } from "vitest";
import type { Tool } from "#lib/core/operation.ts";
import { type Plan, planFeatures } from "#lib/core/plans.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { namingTools } from "#lib/mcp/words.ts";
import { useServer } from "../server.fixture.ts";
import { everyOperation } from "./cast.ts";
import { comparable } from "./comparable.ts";
import { leastPlanOf, plansBelow, scopesBelow } from "./rights.ts";
import { inputOf } from "./scenarios.ts";
import { createStage } from "./stage.ts";
import { sender } from "./surface.ts";
import { callTool, givenOf } from "./tool-calls.ts";
import { mutationsOf } from "./wrong-values.ts";

const server = useServer();
const { send } = sender(server.url);

type Input = Record<string, unknown>;
const tools = everyOperation.flatMap(([name, operation]): [string, Operation, Tool][] =>
  operation.contract.tool ? [[name, operation, operation.contract.tool]] : [],
);

const call = (key: string, name: string, given: Input) => callTool(server.url(), key, name, given);

const fieldsOf = ({ parameters }: Tool): string[] => parameters.map((one) => (typeof one === "string" ? one : one[1]));

/** What a tool's call needs where it asks another thing of its operation than the scenario does. */
const calls: Readonly<Record<string, Input>> = { add_to_list: { filters: {}, list: "Met in June" } };

/** The plan that all fields of a call need. */
const planOf = (operation: Operation, tool: Tool): Plan => {
  const { feature } = operation.contract;
  const [needed] = typeof feature === "object" ? fieldsOf(tool).flatMap((field) => feature[field] ?? []) : [];
  return needed ? planFeatures[needed].plan : leastPlanOf(operation);
};

/** What an input says in fields that the tool has too, with what it gives itself. */
const within = (tool: Tool, input: Input): Input => ({
  ...Object.fromEntries(Object.entries(input).filter(([field]) => fieldsOf(tool).includes(field))),
  ...tool.always,
});

describe.each(tools)("%s as a tool", (name, operation, tool) => {
  const { scope, feature } = operation.contract;

  test("gives the same as over REST, and a text, with exactly the scope and the plan its contract names", async () => {
    const plan = planOf(operation, tool);
    const [one, other] = [await createStage(plan), await createStage(plan)];
    const [key, otherKey] = [await one.key([scope]), await other.key([scope])];
    const of = async (stage: typeof one): Promise<Input> => calls[tool.name] ?? (await inputOf(name, stage));
    const rest = await send(operation, within(tool, await of(one)), { key });
    const result = await call(otherKey, tool.name, givenOf(tool, await of(other)));
    expect(result.isError, result.content[0]?.text).toBeFalsy();
    operation.contract.output.parse(result.structuredContent);
    expect(comparable(result.structuredContent)).toEqual(comparable(namingTools(rest.body)));
    expect(result.content[0]?.text).toBeTruthy();
  });

  const takesValues = tool.parameters.length > 0;
  const title = takesValues ? "each wrong value as REST does" : "any parameter";

  test(`refuses ${title}, says which parameters it has, and writes nothing`, async () => {
    const stage = await createStage();
    const key = await stage.key();
    const right = within(tool, await inputOf(name, stage));
    const before = await stage.rows();
    const wrong = mutationsOf(operation.contract, right).filter(({ what }) =>
      fieldsOf(tool).includes(what.split(/[ .]/)[0] as string),
    );
    expect(wrong.length > 0).toBe(takesValues);
    for (const { what, input } of wrong) {
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
    const unknown = await call(key, tool.name, { ...givenOf(tool, right), "No-Such-Field": 1 });
    expect(unknown.structuredContent).toMatchObject({
      error: "unknown_parameter",
      parameter: "No-Such-Field",
      supported: tool.parameters.map((each) => (typeof each === "string" ? each : each[0])),
    });
    expect(await stage.rows()).toEqual(before);
  });

  if (scopesBelow(operation).length > 0 || feature !== undefined)
    test("is refused to a lower scope, and on a lower plan", async () => {
      for (const held of scopesBelow(operation)) {
        const stage = await createStage();
        const result = await call(await stage.key([held]), tool.name, givenOf(tool, await inputOf(name, stage)));
        expect(result.structuredContent).toMatchObject({ error: "insufficient_scope", required_scope: scope });
      }
      for (const held of plansBelow(operation)) {
        const stage = await createStage(held);
        const result = await call(await stage.key(), tool.name, givenOf(tool, await inputOf(name, stage)));
        expect(result.structuredContent).toMatchObject({ error: "feature_not_in_plan", feature });
      }
    });
});
