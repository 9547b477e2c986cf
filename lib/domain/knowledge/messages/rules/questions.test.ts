import { expect, test } from "vitest";
import { questionsIn } from "./questions.ts";

test.for<[string, string, string[]]>([
  ["a sentence with a question mark", "Thanks. Can we start in May? Regards", ["Can we start in May?"]],
  ["several, in their order", "What does it cost?\nWho signs?", ["What does it cost?", "Who signs?"]],
  ["the same one once", "Who signs? Who signs?", ["Who signs?"]],
  ["a request without a question mark", "Hi Ada,\n\nPlease send the contract. Bye", ["Please send the contract."]],
  ["a line of a list", "- How many seats?\n* Which plan?", ["How many seats?", "Which plan?"]],
  ["one in quotation marks", "My boss asks “who signs?” Bye", ["My boss asks “who signs?”"]],
  ["one in German", "Danke! Könnten Sie mir ein Angebot schicken.", ["Könnten Sie mir ein Angebot schicken."]],
  ["no address with a question mark inside", "See https://acme.com/?plan=a for more.", []],
  ["no question mark alone", "??? ok", []],
  ["nothing that is only polite", "How are you? Tuesday works.", []],
  ["nothing of a message that asks nothing", "Tuesday works for us.", []],
])("finds %s", ([, text, expected]) => {
  expect(questionsIn(text)).toEqual(expected);
});

test("a message asks at most five things, each in at most 300 characters", () => {
  const many = Array.from({ length: 9 }, (_, index) => `Is it ${index}?`).join(" ");
  expect(questionsIn(many)).toHaveLength(5);
  expect(questionsIn(`${"word ".repeat(200)}?`)[0]?.length).toBeLessThanOrEqual(300);
});
