import { describe, expect, test } from "vitest";
import { examplePerson, type Person } from "#lib/domain/crm/people/contract.ts";
import { cardsOf } from "./cards.ts";

const person = (
  id: string,
  stage: Person["pipeline_stage"],
  at: string | null,
  score: number | null = null,
): Person => ({
  ...examplePerson,
  id,
  pipeline_stage: stage,
  last_activity_at: at,
  icp_score: score,
});

const ids = (rows: readonly Person[] | undefined) => rows?.map(({ id }) => id).join("");

describe("the cards of a board", () => {
  const a = person("a", "aware", "2026-06-09", 10);
  const b = person("b", "aware", "2026-06-05", 50);
  const c = person("c", "aware", null, null);

  test("someone who moved is in the new column only, where its order has them", () => {
    const moved = person("m", "aware", "2026-06-07", 30);
    const columns = cardsOf(
      [
        { stage: "identified", rows: [moved, person("x", "identified", null)] },
        { stage: "aware", rows: [a, b, c] },
      ],
      "last_activity_desc",
    );
    expect([ids(columns.get("identified")), ids(columns.get("aware"))]).toEqual(["x", "ambc"]);
  });

  test.each([
    ["last_activity_desc", [a, b, c], "2026-06-01", "abmc"],
    ["last_activity_desc", [a, b, c], null, "abmc"],
    ["last_activity_asc", [c, b, a], "2026-06-07", "cbma"],
    ["last_activity_asc", [c, b, a], null, "cmba"],
    ["a sort it does not know", [a, b, c], null, "mabc"],
  ] as const)("with %s", (sort, rows, at, expected) => {
    const columns = cardsOf(
      [
        { stage: "identified", rows: [person("m", "aware", at)] },
        { stage: "aware", rows },
      ],
      sort,
    );
    expect(ids(columns.get("aware"))).toBe(expected);
  });

  const named = (
    id: string,
    stage: Person["pipeline_stage"],
    first: string | null,
    company: string | null,
  ): Person => ({
    ...person(id, stage, null),
    first_name: first,
    last_name: null,
    email: first === null ? null : `${id}@acme.com`,
    company,
  });
  const [anna, eva, unnamed] = [
    named("a", "aware", "Anna", "Zeta"),
    named("e", "aware", "Eva", "Acme"),
    named("u", "aware", null, null),
  ];
  const emil = named("m", "identified", "émil", "Möller");

  test.each([
    ["name_asc", [unnamed, anna, eva], "uame"],
    ["name_desc", [eva, anna, unnamed], "emau"],
    ["company_asc", [unnamed, eva, anna], "uema"],
    ["company_desc", [anna, eva, unnamed], "ameu"],
  ] as const)("by the letters of %s", (sort, rows, expected) => {
    const moved = { ...emil, pipeline_stage: "aware" } as const;
    const columns = cardsOf(
      [
        { stage: "identified", rows: [moved] },
        { stage: "aware", rows },
      ],
      sort,
    );
    expect(ids(columns.get("aware"))).toBe(expected);
  });

  test("someone in both lists is shown once", () => {
    const columns = cardsOf(
      [
        { stage: "identified", rows: [a] },
        { stage: "aware", rows: [a, b] },
      ],
      "last_activity_desc",
    );
    expect([ids(columns.get("identified")), ids(columns.get("aware"))]).toEqual(["", "ab"]);
  });
});
