import { describe, expect, test } from "vitest";
import { isWellFormedKey, mintKey, mintUserCode, readUserCode, sha256, userCodeHash } from "./secret-tokens.ts";

describe("an API key", () => {
  const minted = mintKey();

  test("is rpt_, six public characters and 38 more, of which only the hash is stored", () => {
    expect(minted.key).toMatch(/^rpt_[0-9A-Za-z]{6}_[0-9A-Za-z]{38}$/);
    expect(minted.key.startsWith(`rpt_${minted.prefix}_`)).toBe(true);
    expect(minted.key.endsWith(minted.lastFour)).toBe(true);
    expect(minted.hash).toEqual(sha256(minted.key));
    expect(isWellFormedKey(minted.key)).toBe(true);
  });

  test("never repeats", () => {
    expect(new Set(Array.from({ length: 1_000 }, () => mintKey().key)).size).toBe(1_000);
  });

  test("is refused when any one character was mistyped", () => {
    const { key } = minted;
    for (let at = 0; at < key.length; at++) {
      const wrong = key[at] === "a" ? "b" : "a";
      expect(isWellFormedKey(key.slice(0, at) + wrong + key.slice(at + 1)), `character ${at}`).toBe(false);
    }
  });

  test.each([
    "",
    minted.key.slice(0, -1),
    `${minted.key}0`,
    ` ${minted.key}`,
    minted.key.toLowerCase() === minted.key ? "" : minted.key.toLowerCase(),
    minted.key.replace("rpt_", "sk_"),
  ])("is refused as %j", (text) => {
    expect(isWellFormedKey(text)).toBe(false);
  });
});

describe("a user code", () => {
  test("is eight consonants in two groups, and does not repeat", () => {
    const codes = Array.from({ length: 1_000 }, mintUserCode);
    for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(new Set(codes).size).toBe(1_000);
  });

  test.each(["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "W-D-J-B-M-J-H-T", "WDJB\u2013MJHT", "wDjB\u2014mjht\n"])(
    "is read from %j",
    (typed) => {
      expect(readUserCode(typed)).toBe("WDJB-MJHT");
    },
  );

  test.each(["", "WDJB-MJH", "WDJB-MJHTT", "WDJA-MJHT", "WDJB-MJH1", "WDJB_MJHT", "ＷDJB-MJHT"])(
    "is not read from %j",
    (typed) => {
      expect(readUserCode(typed)).toBeNull();
    },
  );

  test("has another hash on another server", () => {
    expect(userCodeHash("WDJB-MJHT", "one")).not.toEqual(userCodeHash("WDJB-MJHT", "two"));
  });
});
