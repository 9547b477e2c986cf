/** A record of another workspace and one that does not exist look the same, in every field that names one. */
import { describe, expect, test } from "vitest";
import { isUuid, newId } from "#lib/core/ids.ts";
import { pathFields } from "#lib/core/operation.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { useServer } from "../server.fixture.ts";
import { castOf, everyOperation, inputNaming, namingFields } from "./cast.ts";
import { inputOf, scenarioOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { type SurfaceAnswer, sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);

/** The id that a field of an input has, or the first of its list. */
const idIn = (value: unknown): string | null => {
  const [id] = [value].flat();
  return isUuid(String(id)) ? String(id) : null;
};

/** An existing record of this workspace that the field may name. */
async function recordOf(name: string, field: string, stage: Stage): Promise<string> {
  const given = scenarioOf(name).ids?.[field];
  if (given) return given(stage);
  if (["focus", "keep", "drop"].includes(field)) return stage.entity("person");
  const id = idIn((await inputOf(name, stage))[field]);
  if (id !== null) return id;
  throw new Error(`tell lib/testing/conformance/scenarios.ts what ${name}.${field} names: ids: { ${field}: … }`);
}

/** Begins a job for those that are there; it has a test below. */
const notOne = ["startBackfill.contact_ids"];

const cases = everyOperation.flatMap(([name, operation]) =>
  [...new Set([...namingFields(operation), ...Object.keys(scenarioOf(name).ids ?? {})])]
    .filter((field) => !notOne.includes(`${name}.${field}`))
    .map((field): [string, string, Operation] => [name, field, operation]),
);

/** An answer without these ids, and without that of the request. */
const without = (ids: readonly string[], { status, text }: SurfaceAnswer) => {
  const body = JSON.parse(text.replaceAll(new RegExp(ids.join("|"), "gi"), "<id>") || "{}") as Record<string, unknown>;
  return [status, { ...body, request_id: "" }];
};

describe.each(cases)("%s.%s", (name, field, operation) => {
  test("answers the same for an id of another workspace and for an unknown one, and takes its own in either case", async () => {
    const { stage, as } = await castOf(operation);
    const theirs = await createStage();
    const foreign = await recordOf(name, field, theirs);
    const { input, naming } = await inputNaming([name, operation], field, stage);
    const own = (scenarioOf(name).ids?.[field] ? null : idIn(input[field])) ?? (await recordOf(name, field, stage));
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
    for (const id of ids) answers.push(without([id, own], await send(operation, naming(id), as)));
    const isFilter = scenarioOf(name).filters?.includes(field);
    const expected = isFilter ? [200, {}] : [404, { error: expect.stringMatching(/not_found$/) }];
    expect(answers[0], JSON.stringify(answers[0])).toMatchObject(expected);
    for (const answered of answers) expect(answered).toEqual(answers[0]);
    expect(await stage.rows()).toEqual(before);
    expect(await theirs.rows()).toEqual(beforeTheirs);

    // A filter is asked by both, as only its answer says whether it was understood.
    for (const id of isFilter && operation.contract.scope === "read" ? [own, own.toUpperCase()] : [own.toUpperCase()]) {
      const answered = await send(operation, naming(id), as);
      expect(answered.status, answered.text).toBeLessThan(300);
      expect(without([own], answered), `what ${id} names makes no difference`).not.toEqual(answers[0]);
    }
  });
});

test("startBackfill looks up no one of another workspace", async () => {
  const [, operation] = everyOperation.find(([name]) => name === "startBackfill") as (typeof everyOperation)[number];
  const { stage, as } = await castOf(operation);
  const theirs = await createStage();
  await inputOf("startBackfill", stage);
  const { body } = await send(operation, { contact_ids: [await theirs.anna(), newId()] }, as);
  expect(body).toMatchObject({ backfill: { contacts: 0, everyone: false } });
});

test("the fields that name records are these", () => {
  const fields = [...new Set(cases.map(([, field]) => field))];
  expect(fields.sort()).toEqual([
    ...["company_id", "contact_id", "drop", "entity_id", "focus", "id", "ids", "keep", "lead_ids", "list_id"],
    ...["merge_id", "observation_id", "supersedes"],
  ]);
  const inPath = everyOperation.flatMap(([name, { contract }]) =>
    pathFields(contract).map((field) => `${name}.${field}`),
  );
  const asked = cases.map(([name, field]) => `${name}.${field}`);
  const byName = /\.(provider|job|name)$/;
  expect(inPath.filter((one) => !byName.test(one) && !asked.includes(one))).toEqual([]);
});
