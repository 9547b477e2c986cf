import { expect, test } from "vitest";
import { personName, shortLinkedin, sourceWords, wordsOf } from "./names.ts";

test.each([
  ["budget_eur", "Budget EUR"],
  ["icp_score", "ICP score"],
  ["meeting_held", "Meeting held"],
  ["note.saved", "Note saved"],
  ["crm", "CRM"],
  ["email_sent", "E-mail sent"],
  ["linkedin_message", "LinkedIn message"],
  ["constructor", "Constructor"],
  ["has_own_toString", "Has own toString"],
])("%s is %s", (name, words) => {
  expect(wordsOf(name)).toBe(words);
});

test("a source is called by its own name, not by properties that objects inherit", () => {
  expect(sourceWords("csv_import")).toBe("CSV import");
  expect(sourceWords("constructor")).toBe("Constructor");
});

test("a person without a name is called by an identifier", () => {
  const nobody = { first_name: null, last_name: null, email: null, linkedin_url: null };
  expect(personName({ ...nobody, last_name: "Smith" })).toBe("Smith");
  expect(personName({ ...nobody, email: "anna@acme.com" })).toBe("anna@acme.com");
  expect(personName({ ...nobody, linkedin_url: "https://www.linkedin.com/in/anna" })).toBe("linkedin.com/in/anna");
  expect(personName(nobody)).toBe("Unnamed person");
  expect(shortLinkedin(null)).toBeNull();
});
