import { describe, expect, test } from "vitest";
import { countryLike, countryOf, regionLike, titlesLike } from "./vocabulary.ts";

describe("a country", () => {
  test.each([
    ["Germany", "DE"],
    ["deutschland", "DE"],
    ["Allemagne", "DE"],
    ["DEU", "DE"],
    ["de", "DE"],
    ["Österreich", "AT"],
    ["U.S.A.", "US"],
    ["United States of America", "US"],
    ["Stany Zjednoczone", "US"],
    ["UK", "GB"],
    ["Nowhere", null],
    ["", null],
  ])("is found by the whole value %j", (text, code) => {
    expect(countryOf(text)).toBe(code);
  });

  test("is like all of its spellings, and other text like itself", () => {
    expect(countryLike("Deutschland")).toEqual(expect.arrayContaining(["de", "germany", "deutschland", "allemagne"]));
    expect(countryLike("Atlantis")).toEqual(["atlantis"]);
  });
});

test("a region is like its names and its countries, and a country is like a region", () => {
  expect(regionLike("dach")).toEqual(expect.arrayContaining(["dach", "germany", "schweiz", "at"]));
  expect(regionLike("DACH")).not.toContain("france");
  expect(regionLike("France")).toEqual(countryLike("France"));
});

describe("a title", () => {
  test("is like the others of its meaning, and not like an assistant's", () => {
    const { all, none } = titlesLike("CFO");
    expect(all).toHaveLength(1);
    expect(all[0]).toEqual(expect.arrayContaining(["cfo", "chief financial officer", "finanzvorstand"]));
    expect(none).toContain("assistant");
  });

  test("needs each of its parts", () => {
    const { all } = titlesLike("VP of Sales");
    expect(all.some((phrases) => phrases.includes("vice president"))).toBe(true);
    expect(all.some((phrases) => phrases.includes("sales"))).toBe(true);
    expect(titlesLike("!?").all).toEqual([]);
  });

  test("of an assistant may be an assistant's", () => {
    expect(titlesLike("Assistant to the CFO").none).toEqual([]);
  });
});
