import { expect, test } from "vitest";
import { auditActions } from "#lib/domain/records/audit/words.ts";
import { auditKinds, auditQuery, EVERYTHING } from "./audit-filter.ts";

test("every action of the audit log is of one kind", () => {
  const nouns = auditKinds.flatMap((kind) => kind.nouns);
  expect(new Set(nouns).size).toBe(nouns.length);
  const used = new Set<string>(auditActions.map((action) => action.split(".")[0] ?? ""));
  expect([...used].filter((noun) => !nouns.includes(noun))).toEqual([]);
  expect(nouns.filter((noun) => !used.has(noun))).toEqual([]);
});

test("a day is the reader's, from its beginning to its end", () => {
  const { from = "", to = "" } = auditQuery({ ...EVERYTHING, from: "2026-06-01", to: "2026-06-01" });
  expect(new Date(from)).toEqual(new Date(2026, 5, 1));
  expect(new Date(to)).toEqual(new Date(2026, 5, 1, 23, 59, 59, 999));
  expect(auditQuery({ ...EVERYTHING, kind: "members" })).toEqual({
    action: ["member", "invitation", "directory_user", "directory_group", "sign_in_groups"],
  });
  expect(auditQuery(EVERYTHING)).toEqual({});
});
