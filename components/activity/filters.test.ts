import { expect, test } from "vitest";
import type { FeedPlace } from "./address.ts";
import { filtersOf, isFiltered, isReadByServer, midnightHere, sourcesOf } from "./filters.ts";

const nothing: FeedPlace = { type: null, entity: null, source: null, from: null, to: null };
const midnight = (day: string, later: number) => `${day}+${later}`;

test("only what the address says is filtered, and both days are included", () => {
  expect(filtersOf(nothing, midnight)).toEqual({});
  expect(isFiltered(nothing)).toBe(false);
  const place: FeedPlace = { type: "call", entity: "id", source: "fathom", from: "2026-06-01", to: "2026-06-03" };
  expect(filtersOf(place, midnight)).toEqual({
    type: "call",
    entity_id: "id",
    source: "fathom",
    from: "2026-06-01+0",
    to: "2026-06-03+1",
  });
  expect(isFiltered(place)).toBe(true);
  expect([isReadByServer(nothing), isReadByServer(place)]).toEqual([true, false]);
});

test("a day begins at midnight here, and what is no day limits nothing", () => {
  expect(midnightHere("2026-12-31", 1)).toBe(new Date(2027, 0, 1).toISOString());
  expect(midnightHere("yesterday", 0)).toBeNull();
  expect(filtersOf({ ...nothing, from: "2026-13-45" })).toEqual({});
});

test("the chosen source can be seen in the list, whatever it is", () => {
  expect(sourcesOf(["hubspot", "api"], "my agent")).toEqual(expect.arrayContaining(["hubspot", "my agent", "fathom"]));
  expect(sourcesOf(["api"], "api").filter((source) => source === "api")).toHaveLength(1);
});
