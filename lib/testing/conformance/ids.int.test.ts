/** A record of another workspace and one that does not exist look the same, in every field that names one. */
import { describe, expect, test } from "vitest";
import { isUuid, newId } from "#lib/core/ids.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { useServer } from "../server.fixture.ts";
import { castOf, everyOperation, namingFields } from "./cast.ts";
import { inputOf, scenarioOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);

/** An existing record of this workspace that the field may name. */
async function recordOf(name: string, field: string, stage: Stage): Promise<string> {
  const given = scenarioOf(name).ids?.[field];
  if (given) return given(stage);
  if (field === "focus") return stage.entity("person");
  const input = await inputOf(name, stage);
  if (isUuid(String(input[field]))) return String(input[field]);
  throw new Error(`tell lib/testing/conformance/scenarios.ts what ${name}.${field} names: ids: { ${field}: … }`);
}

const cases = everyOperation.flatMap(([name, operation]) =>
  namingFields(operation).map((field): [string, string, Operation] => [name, field, operation]),
);

describe.each(cases)("%s.%s", (name, field, operation) => {
  test("answers the same 404 for an id of another workspace and for an unknown one, and takes its own in either case", async () => {
    const { stage, as } = await castOf(operation);
    const theirs = await createStage();
    const foreign = await recordOf(name, field, theirs);
    const input = await inputOf(name, stage);
    const [before, beforeTheirs] = [await stage.rows(), await theirs.rows()];
    const answers = [];
    const ids = [
      foreign,
      foreign.toUpperCase(),
      newId(),
      theirs.id,
      "11111111-1111-1111-1111-111111111111",
      "00000000-0000-0000-0000-000000000000",
    ];
    for (const id of ids) {
      const { status, body } = await send(operation, { ...input, [field]: id }, as);
      answers.push([status, { ...body, request_id: "" }]);
    }
    const isFilter = scenarioOf(name).filters?.includes(field);
    const expected = isFilter ? [200, {}] : [404, { error: expect.stringMatching(/not_found$/) }];
    expect(answers[0], JSON.stringify(answers[0])).toMatchObject(expected);
    for (const answered of answers) expect(answered).toEqual(answers[0]);
    expect(await stage.rows()).toEqual(before);
    expect(await theirs.rows()).toEqual(beforeTheirs);

    const id = isUuid(String(input[field])) ? String(input[field]) : await recordOf(name, field, stage);
    const answered = await send(operation, { ...input, [field]: id.toUpperCase() }, as);
    expect(answered.status, answered.text).toBeLessThan(300);
  });
});

test("there are fields that name records", () => {
  expect(cases.length).toBeGreaterThan(5);
});
