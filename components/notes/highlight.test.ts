import { expect, test } from "vitest";
import { highlight } from "./highlight.ts";

const hits = (text: string, question: string) =>
  highlight(text, question).flatMap((piece) => (piece.hit ? [piece.text] : []));

test.each([
  ["What did Anna say about pricing?", "Anna finds the prices high.", ["Anna", "prices"]],
  ["budgets", "The budget is approved.", ["budget"]],
  ["müller", "Herr Muller und Frau MÜLLER", ["Muller", "MÜLLER"]],
  ["the of and", "the end of the day", []],
  ["SSO", "SSO before SSOs", ["SSO", "SSOs"]],
])("%s", (question, text, expected) => {
  expect(hits(text, question)).toEqual(expected);
});

test("no text is lost", () => {
  const text = "  Anna\r\nsaid: “prices, again!” 🙂 ";
  expect(
    highlight(text, "anna prices")
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});
