import { describe, expect, test } from "vitest";
import { lastProof, nextBackup, nextProof, stateOf } from "./due.ts";
import type { Proof } from "./manifest.ts";

const DAY = 86_400_000;
const now = Date.parse("2026-11-26T12:00:00Z");
const ago = (days: number) => new Date(now - days * DAY).toISOString();
const backup = (days: number, verified?: number, wrong: string[] = []) => ({
  manifest: { made_at: ago(days) },
  proof: verified === undefined ? null : ({ verified_at: ago(verified), wrong } as unknown as Proof),
});

test("a backup is made when the newest is old enough, and where there is none", () => {
  expect(nextBackup([], DAY)).toBe(0);
  expect(nextBackup([backup(0.5), backup(3)], DAY)).toBe(now + 0.5 * DAY);
});

test.each<[name: string, backups: ReturnType<typeof backup>[], due: number | null]>([
  ["nothing without a backup", [], null],
  ["the first at once", [backup(0)], 0],
  [
    "one a week after the last proof, whichever backup had it",
    [backup(1), backup(5, 4), backup(12, 11)],
    now + 3 * DAY,
  ],
  ["the next one after a proof that failed", [backup(0), backup(1, 1, ["broken"])], 0],
  ["not the same one again after a proof that failed", [backup(1, 1, ["broken"])], now + 6 * DAY],
])("proves %s", (_, backups, due) => expect(nextProof(backups)).toBe(due));

test("the last proof is the one that was made last", () => {
  expect(lastProof([backup(1, 0.9), backup(3, 0.1), backup(5)])?.verified_at).toBe(ago(0.1));
  expect(lastProof([backup(1)])).toBeNull();
});

describe("backups are", () => {
  const fine = { problem: null, madeAt: ago(1), verifiedAt: ago(6), wrong: [] };
  test.each<[state: string, name: string, facts: Parameters<typeof stateOf>[0], every: number | undefined]>([
    ["off", "nothing makes them", fine, undefined],
    ["fine", "they are made and proved", fine, DAY],
    ["late", "the server did not look yet", null, DAY],
    ["late", "two are missing", { ...fine, madeAt: ago(2.1) }, DAY],
    ["late", "there is none", { ...fine, madeAt: null, verifiedAt: null }, DAY],
    ["late", "none was proved for two weeks", { ...fine, verifiedAt: ago(15) }, DAY],
    ["failing", "the last did not work", { ...fine, problem: "The disk is full." }, DAY],
    ["failing", "the proved one is not whole", { ...fine, wrong: ["people: 1 rows"] }, DAY],
  ])("%s when %s", (state, _, facts, every) => expect(stateOf(facts, every, now)).toBe(state));
});
