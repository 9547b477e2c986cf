import { describe, expect, test } from "vitest";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { groupsOf } from "./groups.ts";

const change = (id: string, asker: string, record: Approval["record"]) =>
  ({ id, record, requested_by: { type: "api_key", id: asker, name: asker } }) as Approval;
const anna = { id: "1", name: "Anna Berg" };

describe("changes that wait", () => {
  test.each<[string, Approval[], [string, string[]][]]>([
    ["none have no groups", [], []],
    [
      "of one client about one record are together, in their order",
      [change("a", "n8n", anna), change("b", "n8n", { id: "2", name: "Bo" }), change("c", "n8n", anna)],
      [
        ["Anna Berg", ["a", "c"]],
        ["Bo", ["b"]],
      ],
    ],
    [
      "of two clients about one record are apart",
      [change("a", "n8n", anna), change("b", "clay", anna)],
      [
        ["Anna Berg", ["a"]],
        ["Anna Berg", ["b"]],
      ],
    ],
    [
      "about two records of the same name are apart",
      [change("a", "n8n", anna), change("b", "n8n", { id: "2", name: "Anna Berg" })],
      [
        ["Anna Berg", ["a"]],
        ["Anna Berg", ["b"]],
      ],
    ],
    [
      "about no record, or a new one, have a name too",
      [change("a", "n8n", null), change("b", "n8n", { id: null, name: "a@b.io" }), change("c", "n8n", null)],
      [
        ["Other changes", ["a", "c"]],
        ["a@b.io", ["b"]],
      ],
    ],
  ])("%s", (_, approvals, expected) =>
    expect(groupsOf(approvals).map(({ about, approvals: all }) => [about, all.map(({ id }) => id)])).toEqual(expected),
  );

  test("about no record are no group that is decided together", () => {
    const groups = groupsOf([change("a", "n8n", null), change("b", "n8n", anna), change("c", "n8n", null)]);
    expect(groups.map(({ about, isRecord }) => [about, isRecord])).toEqual([
      ["Other changes", false],
      ["Anna Berg", true],
    ]);
  });
});
