import { dictionary } from "@zxcvbn-ts/language-common";
import { describe, expect, test } from "vitest";
import { isEasyToGuess } from "./easy-passwords.ts";
import { inventPassword } from "./passwords.ts";

const names = ["ada.lovelace@northwind.example", "Acme", "Ada Lovelace", "Analytical Engines"];

describe("a password is easy to guess", () => {
  test.each([
    ["well-known", "123qweasdzxc"],
    ["well-known, in other letters", "Finalfantasy"],
    ["well-known, in full-width letters", "ｑｗｅｒｔｙ１２３４５６"],
    ["two well-known ones", "passwordpassword"],
    ["two well-known ones and a sign between", "dragon-princess"],
    ["one with numbers behind", "christopher1!"],
    ["one with a year", "password2026!"],
    ["a few characters over and over", "abababababab"],
    ["one character", "zzzzzzzzzzzzzz"],
    ["digits in a row", "123456789012"],
    ["the product's name", "rapport-rapport"],
    ["the product with a year", "Rapport2026!!"],
    ["the person's name", "AdaLovelace1"],
    ["the person's address", "lovelace.northwind"],
    ["the workspace's name", "analytical-engines"],
    ["own words, a year and a sign", "acmeRapport2026!"],
    ["the workspace and a well-known one", "engines123456"],
  ])("%s: %s", async (_what, password) => {
    expect(await isEasyToGuess(password, names)).toBe(true);
  });

  test("each of the well-known ones that is long enough, and thousands with something behind", async () => {
    const all = dictionary["passwords-common"];
    const long = all.filter((each) => each.length >= 12);
    const made = all.filter((each) => each.length >= 9 && each.length < 12).map((each) => `${each}123`.slice(0, 13));
    const tried = [...long, ...made];
    const easy = await Promise.all(tried.map((each) => isEasyToGuess(each, [])));
    expect(long.length).toBeGreaterThan(300);
    expect(tried.length).toBeGreaterThan(3_000);
    expect(tried.filter((_each, place) => !easy[place])).toEqual([]);
  });
});

describe("a password is not easy to guess", () => {
  test.each([
    "correct horse battery",
    "a brand new password",
    "Schlüsselbund im Flur",
    "rapport with the anna of acme",
    "xK9#mQ2$vL7p",
    "hqvzkwpjxnrt",
    "ш".repeat(3) + "ёлка у реки",
  ])("%s", async (password) => {
    expect(await isEasyToGuess(password, names)).toBe(false);
  });

  test("one that was made up", async () => {
    const invented = Array.from({ length: 50 }, inventPassword);
    expect(await Promise.all(invented.map((each) => isEasyToGuess(each, names)))).toEqual(invented.map(() => false));
  });
});

test("the longest password is judged at once, with names that fit everywhere", async () => {
  const began = process.threadCpuUsage();
  const fits = ["aaa", "aaaa", "aaaaa", "aaaaaa", "aaaaaaa", "a".repeat(100)];
  expect(await isEasyToGuess(`${"a".repeat(190)}xyzxwvutsr`, fits)).toBe(false);
  expect(process.threadCpuUsage(began).user / 1_000).toBeLessThan(2_000);
});
