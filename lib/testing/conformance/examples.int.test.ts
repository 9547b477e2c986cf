/** What every operation answers to valid input; all its transports must answer the same. */
import { describe, expect, test } from "vitest";
import { errorCodes } from "#lib/core/errors.ts";
import { successStatus } from "#lib/core/operation.ts";
import { userOperations } from "#lib/registry.ts";
import { useServer } from "../server.fixture.ts";
import { castOf, everyOperation } from "./cast.ts";
import { comparable } from "./comparable.ts";
import { inputOf, strayScenarios } from "./scenarios.ts";
import { sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);

test("scenarios are of operations that exist", () => {
  expect(strayScenarios()).toEqual([]);
});

describe.each([
  ...everyOperation.map(([name, { contract }]) => [name, contract] as const),
  ...userOperations.map(({ contract }) => [contract.name, contract] as const),
])("%s", (_name, contract) => {
  test("has an example its own schemas accept", () => {
    contract.input.parse(contract.example.input);
    contract.output.parse(contract.example.output);
  });

  test("names every code it may answer", () => {
    const { required, fields } = contract.codes ?? {};
    const own = new Set(contract.errors ?? []);
    for (const code of [...(required ? [required] : []), ...Object.values(fields ?? {})])
      expect([...own, "invalid_parameter"]).toContain(code);
    for (const code of own) expect(errorCodes).toContain(code);
  });

  test("has a summary, and a name in camel case", () => {
    expect(contract.summary.length).toBeGreaterThan(5);
    expect(contract.name).toMatch(/^[a-z][A-Za-z]+$/);
  });
});

describe.each(everyOperation)("%s", (name, operation) => {
  test("accepts its scenario on its own surface, with the status its contract says", async () => {
    const { stage, as } = await castOf(operation);
    const answered = await send(operation, await inputOf(name, stage), as);
    expect(answered.status, answered.text).toBe(successStatus(operation.contract, answered.body));
  });

  test("answers the same over HTTP as the service does behind it", async () => {
    const [over, behind] = [await castOf(operation), await castOf(operation)];
    const answered = await send(operation, await inputOf(name, over.stage), over.as);
    const output = await operation.execute(behind.stage.caller, await inputOf(name, behind.stage));
    expect(comparable(answered.body)).toEqual(comparable(output));
  });

  test("answers a signed-in member the same", async () => {
    const { stage } = await castOf(operation);
    const { cookie } = await stage.person("owner");
    const answered = await send(operation, await inputOf(name, stage), { cookie, workspace: stage.id });
    expect(answered.status, answered.text).toBe(successStatus(operation.contract, answered.body));
  });
});
