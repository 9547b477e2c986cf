import { describe, expect, test } from "vitest";
import { chanceOf } from "./chance.ts";
import { marked, marksIn, openLedger } from "./ledger.ts";
import { insertSteps, isTransformed } from "./steps.ts";

describe("a place to fail", () => {
  test.each([
    ["await f();", "await tortureStep(f());"],
    ["const [a] = (await f(1)).b;", "const [a] = (await tortureStep(f(1))).b;"],
    ["x = { ...(await f(await g())) };", "x = { ...(await tortureStep(f(await tortureStep(g())))) };"],
    ["await together([f(), g()]);", "await tortureStep(together(tortureBranches([f(), g()])));"],
    ["return Promise.all(list.map(f));", "return Promise.all(tortureBranches(list.map(f)));"],
    ["const y: T = await (f as G)<T>();", "const y: T = await tortureStep((f as G)<T>());"],
    ["for await (const x of y) z(x);", "for await (const x of y) z(x);"],
  ])("stands in %s", (line, expected) => {
    const around = (text: string) => `async function main() {\n  ${text}\n}`;
    expect(insertSteps(around(line))).toBe(around(expected));
  });

  test("is in services, queries and webhooks, not in what runs their transaction", () => {
    expect(isTransformed("file:///x/lib/domain/records/facts/service.ts")).toBe(true);
    expect(isTransformed("file:///x/lib/domain/crm/recording/service/record.ts")).toBe(true);
    expect(isTransformed("file:///x/lib/inbound/route.ts")).toBe(true);
    expect(isTransformed("file:///x/lib/domain/implement.ts")).toBe(false);
    expect(isTransformed("file:///x/lib/db/handle.ts")).toBe(false);
  });
});

describe("a ledger", () => {
  test("finds the texts and ids of the other tenant, in any order", () => {
    const ledger = openLedger();
    const [of, other] = [crypto.randomUUID(), crypto.randomUUID()];
    ledger.own("A", of);
    expect(ledger.foreign("A", `{"id":"${of}","content":"Series A markA markAn7n"}`)).toBeNull();
    expect(ledger.foreign("B", `{"id":"${other}"}`)).toBeNull();
    expect(ledger.foreign("B", `{"id":"${of}"}`)).toBe("an id of the other tenant");
    expect(ledger.foreign("A", `{"id":"${other}"}`)).toBe("an id of the other tenant");
    expect(ledger.foreign("A", "of markBn12n")).toBe("the text markBn12n");
  });

  test("marks free texts at any depth, and reads the marks back", () => {
    const input = marked({ focus: "a@b.c", content: "x", rows: [{ title: "y", type: "call" }] }, "markAn7n");
    expect(input).toEqual({ focus: "a@b.c", content: "x markAn7n", rows: [{ title: "y markAn7n", type: "call" }] });
    expect(marksIn(JSON.stringify(input))).toEqual(Array(2).fill({ letter: "A", number: 7 }));
  });
});

test("a seed repeats its choices, and a fork has its own", () => {
  const drawn = (seed: number) => {
    const chance = chanceOf(seed);
    const own = chance.fork();
    return [chance.int(1, 1_000), own.int(1, 1_000), chance.percent(50), own.pick(["a", "b", "c"])];
  };
  expect(drawn(42)).toEqual(drawn(42));
  expect(Array.from({ length: 50 }, (_, seed) => drawn(seed)[0])).not.toEqual(Array(50).fill(drawn(0)[0]));
});
