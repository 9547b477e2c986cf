import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { blinder, EVERYBODY } from "./blind-words.ts";

const key = { id: "k1", key: randomBytes(32) };

test("a word is the same number for one audience, and another for each other audience, workspace and key", () => {
  const numbers = [
    blinder(key, "w1", "ada")("invoic"),
    blinder(key, "w1", "ada")("price"),
    blinder(key, "w1", "bo")("invoic"),
    blinder(key, "w1", EVERYBODY)("invoic"),
    blinder(key, "w2", "ada")("invoic"),
    blinder({ id: "k2", key: randomBytes(32) }, "w1", "ada")("invoic"),
  ];
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(blinder(key, "w1", "ada")("invoic")).toBe(numbers[0]);
});

test("a number is one that the database can hold", () => {
  const blind = blinder(key, "w1", "ada");
  for (let index = 0; index < 500; index++)
    expect(BigInt.asIntN(64, BigInt(blind(`word${index}`))).toString()).toBe(blind(`word${index}`));
});
