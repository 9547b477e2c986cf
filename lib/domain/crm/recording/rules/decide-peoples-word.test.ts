/** Callers who may not overwrite what people said. */
import { describe, expect, test } from "vitest";
import type { Draft } from "#lib/domain/records/evidence/service.ts";
import { a, about, activity, decideIn, good, Memory, state } from "#lib/testing/recording.fixture.ts";
import { countNew } from "./contact.ts";

/** What a caller says after a person said that Anna is the CTO; `region` was said by a machine. */
function saidAfterwards(drafts: readonly Draft[], { asks = true, allowed = [] as string[], ended = false } = {}) {
  const memory = new Memory();
  memory.record(about(a, state("region", "DACH")));
  memory.record(about(a, state("job_title", "CTO", { method: "asserted", source: "manual" })));
  if (ended) memory.record(about(a, state("job_title", null, { method: "asserted", source: "manual" })));
  const said = new Set(memory.evidence.filter(({ source }) => source === "manual").map(({ id }) => id));
  const peoplesWord = asks ? { said, allowed: new Set(allowed) } : null;
  const { decision, results } = decideIn(memory, [about(a, ...drafts)], () => ({ peoplesWord }));
  const result = good(results[0]);
  return {
    result,
    held: result.held.map(({ property, value }) => [property, value]),
    learned: decision.evidence.map(({ property, value }) => [property, value]),
  };
}

const asserted = { method: "asserted" } as const;

describe("a caller who may not overwrite what people said", () => {
  test.each<[string, Draft[], Parameters<typeof saidAfterwards>[1], [string, unknown][], [string, unknown][]]>([
    ["another value than a person's waits", [state("job_title", "CEO")], {}, [["job_title", "CEO"]], []],
    ["one that it asserts too", [state("job_title", "CEO", asserted)], {}, [["job_title", "CEO"]], []],
    ["the end of a person's value too", [state("job_title", null)], {}, [["job_title", null]], []],
    ["a value that a person ended too", [state("job_title", "CTO")], { ended: true }, [["job_title", "CTO"]], []],
    ["what agrees with a person is recorded", [state("job_title", "CTO")], {}, [], [["job_title", "CTO"]]],
    ["what a machine said is replaced", [state("region", "EMEA")], {}, [], [["region", "EMEA"]]],
    ["what only fills a blank is recorded as ever", [state("job_title", "CEO", { onlyBlank: true })], {}, [], []],
    ["an event is recorded", [activity("call")], {}, [], [["interaction.call", {}]]],
    [
      "only the value that a person gave differently waits",
      [state("job_title", "CEO"), state("region", "EMEA")],
      {},
      [["job_title", "CEO"]],
      [["region", "EMEA"]],
    ],
    [
      "an older value is history",
      [state("job_title", "Intern", { ...asserted, observedAt: new Date("2019-05-01") })],
      {},
      [],
      [["job_title", "Intern"]],
    ],
    [
      "nothing waits when a rule allows it",
      [state("job_title", "CEO")],
      { allowed: ["job_title"] },
      [],
      [["job_title", "CEO"]],
    ],
    ["nothing waits of any other caller", [state("job_title", "CEO")], { asks: false }, [], [["job_title", "CEO"]]],
  ])("%s", (_, drafts, more, held, learned) => {
    const told = saidAfterwards(drafts, more);
    expect(told.held).toEqual(held);
    expect(told.learned.filter(([property]) => property !== "pipeline_stage")).toEqual(learned);
  });

  test("the answer says that a value waits: it is neither recorded nor a repeat", () => {
    const { result } = saidAfterwards([state("job_title", "CEO"), state("region", "EMEA")]);
    expect(result.outcomes.map(({ repeated, waits }) => [repeated, waits])).toEqual([
      [false, true],
      [false, undefined],
    ]);
    expect(countNew(result)).toBe(1);
    expect(result.recomputed).toEqual(["region"]);
    expect(result.believed).toMatchObject([
      { property: "job_title", value: "CTO", changed: false, conflict: { method: "asserted" } },
      { property: "region", value: "EMEA", changed: true },
    ]);
  });

  test("a value that a rule allows replaces a person's value, as an asserted one does", () => {
    expect(saidAfterwards([state("job_title", "CEO")], { allowed: ["job_title"] }).result.believed).toMatchObject([
      { value: "CEO", changed: true },
    ]);
  });
});
