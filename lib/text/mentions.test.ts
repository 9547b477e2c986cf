import { expect, test } from "vitest";
import { mentionPattern } from "./mentions.ts";

const mail = "anna@acme.com";
const url = "linkedin.com/in/anna";
const id = "0190a6e0-0000-7000-8000-000000000010";

test.each([
  [mail, "anna@acme.com"],
  [mail, '{"focus":"anna@acme.com"}'],
  [mail, "write to <anna@acme.com>, please"],
  [mail, "it was anna@acme.com."],
  [mail, JSON.stringify("a line\nanna@acme.com\nanother")],
  [mail, "mailto:anna@acme.com?subject=x"],
  ["+4930123456", "call +4930123456 today"],
  [url, "https://de.linkedin.com/in/anna"],
  [url, "https://www.linkedin.com/in/anna/"],
  [id, `{"id":"${id}"}`],
])("%s is found in %s", (identifier, text) => {
  expect(new RegExp(mentionPattern(identifier)).test(text.toLowerCase())).toBe(true);
});

test.each([
  [mail, "joanna@acme.com"],
  [mail, "mary-anna@acme.com, sales+anna@acme.com, j.anna@acme.com"],
  [mail, "anna@acme.com.au"],
  [mail, "anna@acme.community"],
  ["+4930123456", "+49301234567"],
  [url, "https://www.linkedin.com/in/anna-2"],
  [url, "https://notlinkedin.com/in/anna"],
  [id, `${id}0`],
])("%s is not found in %s", (identifier, text) => {
  expect(new RegExp(mentionPattern(identifier)).test(text.toLowerCase())).toBe(false);
});
