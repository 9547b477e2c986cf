import { expect, test } from "vitest";
import { recordKinds } from "#lib/core/limits.ts";
import { operations } from "#lib/registry.ts";
import { isWithin, reachOf } from "./reach.ts";

/** What no key or client with limits may call: files, many records at once, other systems. */
const beyond = [
  ...["cancelBulkAction", "createBulkAction", "getBulkAction", "listBulkActions", "undoBulkAction"],
  ...["cancelExport", "createExport", "deleteExport", "getExport", "listExports"],
  ...["cancelImport", "createImport", "getImport", "listImportRows", "listImports", "patchImport", "previewImport"],
  ...["runImport", "undoImport"],
  ...["getCrmRun", "getCrmSync", "listCrmRuns", "listIntegrations", "getInboundDelivery", "listInboundDeliveries"],
  ...["connectMailbox", "disconnectMailbox", "getMailReport", "listMailFolders", "listMailboxes"],
  ...["syncMailbox", "testMailbox", "updateMailbox", "connectCalendar", "disconnectCalendar", "listCalendars"],
  ...["syncCalendar", "testCalendar", "updateCalendar"],
  ...["getTrigger", "getTriggerDelivery", "listTriggerDeliveries", "listTriggers"],
];

test("every public operation says what it reaches, or is refused to limited callers on purpose", () => {
  const open = operations.filter(({ contract }) => contract.surface === "public" && contract.scope !== "admin");
  const missing = open.map(({ contract }) => contract.name).filter((name) => reachOf(name) === null);
  expect(missing.sort()).toEqual([...beyond].sort());
});

test("the table names operations only", () => {
  const names = new Set(operations.map(({ contract }) => contract.name));
  const source = ["getCaller", "getContext", "resolveFocus", "getAgentView", "listLeads", "listTasks"];
  for (const name of source) expect(names.has(name), name).toBe(true);
});

test("what creates a record reaches its kind: a person brings a company, a note whom it is about", () => {
  const contacts = ["people", "companies"];
  for (const name of ["upsertPerson", "upsertPeople", "patchPerson"]) expect(reachOf(name)?.kinds).toEqual(contacts);
  for (const name of ["capture", "captureBatch"]) expect(reachOf(name)?.kinds).toEqual([...contacts, "activities"]);
  for (const name of ["createLead", "createLeads"]) expect(reachOf(name)?.kinds).toEqual([...contacts, "leads"]);
  expect(reachOf("saveNote")?.kinds).toEqual([...contacts, "notes"]);
});

test("with limits nothing of the scope admin is open", () => {
  for (const { contract } of operations)
    if (contract.scope === "admin")
      expect(isWithin(contract, { kinds: [...recordKinds], hiddenFields: [] }), contract.name).toBe(false);
});
