/** What of each operation waits for a person when the caller's approval is `human_fields`, whatever is in the workspace. */
import { expect, test } from "vitest";
import { mayWrite } from "#lib/core/operation.ts";
import { parseInput } from "#lib/core/parse-input.ts";
import { needsApproval } from "#lib/domain/authority.ts";
import { operations } from "#lib/registry.ts";

/** Those that write at once with the input of their example, as far as no person spoke. */
const WRITE_AT_ONCE = [
  ...["addIdentifier", "capture", "captureBatch", "recordObservations", "saveFact", "saveNote"],
  ...["patchCompany", "patchPerson", "upsertCompanies", "upsertCompany", "upsertPeople", "upsertPerson"],
  ...["changeLead", "changeLeadList", "changeLeads", "createLead", "createLeadList", "createLeads"],
  ...["createTask", "updateTask", "verifyClaim", "setWorkspaceProfile"],
  ...["createImport", "patchImport", "previewImport", "cancelExport", "testMailbox", "syncMailbox"],
  ...["testCalendar", "syncCalendar"],
];

const waits = (name: string, input?: object) => {
  const contract = operations.find((operation) => operation.contract.name === name)?.contract;
  if (!contract) throw new Error(`there is no operation ${name}`);
  return needsApproval(contract, { approval: "human_fields" }, parseInput(contract, input ?? contract.example.input));
};

test("what is not in the list waits whole", () => {
  const open = operations
    .map(({ contract }) => contract)
    .filter((contract) => contract.surface === "public" && mayWrite(contract))
    .filter(({ name, writes, example }) => !writes || name === "verifyClaim" || writes(example.input as never));
  expect(open.flatMap(({ name }) => (waits(name) ? [] : [name])).sort()).toEqual(WRITE_AT_ONCE.toSorted());
});

test.each<[string, object, boolean]>([
  ["patchPerson", { focus: "anna@acme.com", status: "archived" }, true],
  ["patchPerson", { focus: "anna@acme.com", email: null }, true],
  ["upsertPerson", { email: "anna@acme.com", linkedin_url: null }, true],
  ["upsertPeople", { people: [{ email: "anna@acme.com" }, { email: "bo@acme.com", status: "archived" }] }, true],
  ["upsertPeople", { people: [{ email: "anna@acme.com" }] }, false],
  ["patchCompany", { focus: "acme.com", domain: null }, true],
  ["createBulkAction", { what: "people", filters: {}, action: "archive" }, true],
  ["createBulkAction", { what: "people", filters: {}, action: "add_to_list", list: "Fintechs" }, false],
  ["buildScoringModel", { force: true }, true],
  ["buildScoringModel", {}, false],
  ["mergeAccounts", { keep: "a@a.io", drop: "b@b.io", dry_run: true }, false],
])("%s with %j waits: %s", (name, input, expected) => expect(waits(name, input)).toBe(expected));
