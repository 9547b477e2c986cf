import fc from "fast-check";
import { expect, test } from "vitest";
import { inOrder, nextPlaces } from "./order.ts";

const entry = (id: string, more: { supersedes?: string; due?: boolean } = {}) => ({
  id,
  supersedes: more.supersedes ?? null,
  freshness: more.due ? ("suspect" as const) : ("fresh" as const),
  epistemic_class: "asserted" as const,
});

const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

test("a page opens with what is worth revisiting first, otherwise in the given order", () => {
  const entries = [entry("a"), entry("b", { due: true }), entry("c"), entry("d", { due: true })];
  expect(idsOf(inOrder(entries, nextPlaces(entries, null)))).toEqual(["b", "d", "a", "c"]);
});

test("an edited entry stays where it was, a confirmed one too, and a new one comes first", () => {
  const opened = [entry("a"), entry("b", { due: true }), entry("c")];
  const places = nextPlaces(opened, null);
  const later = [entry("new"), entry("c2", { supersedes: "c" }), entry("a"), entry("b")];
  expect(idsOf(inOrder(later, nextPlaces(later, places)))).toEqual(["new", "b", "a", "c2"]);
});

test("whatever is read again, the entries that stay keep their order", () => {
  const some = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 2 }), { maxLength: 8 });
  fc.assert(
    fc.property(some, fc.array(some, { maxLength: 5 }), (first, reads) => {
      let places = nextPlaces(
        first.map((id) => entry(id)),
        null,
      );
      let shown = first;
      for (const read of reads) {
        const entries = read.map((id) => entry(id));
        places = nextPlaces(entries, places);
        const now = idsOf(inOrder(entries, places));
        const stayed = shown.filter((id) => now.includes(id));
        expect(now.filter((id) => stayed.includes(id))).toEqual(stayed);
        shown = now;
      }
    }),
  );
});
