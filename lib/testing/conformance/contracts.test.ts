/** What every contract says of itself. */
import { describe, expect, test } from "vitest";
import type { Contract } from "#lib/core/operation.ts";
import { features } from "#lib/core/plans.ts";
import { operations, userOperations } from "#lib/registry.ts";

const contracts = [...operations, ...userOperations].map(({ contract }) => contract as Contract);
const named = (all: readonly Contract[]) => all.map((contract) => [contract.name, contract] as const);

describe.each(named(contracts))("%s", (name, contract) => {
  test("has an example its own schemas accept, a summary, and a name in camel case", () => {
    contract.input.parse(contract.example.input);
    contract.output.parse(contract.example.output);
    expect(contract.summary.length).toBeGreaterThan(5);
    expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  });
});

/** The codes that a contract puts in place of `invalid_parameter`. */
const ownCodes = ({ codes: { fields = {}, missing = {} } = {} }: Contract) => [
  ...Object.values(fields),
  ...Object.values(missing),
];

describe.each(named(contracts.filter((contract) => ownCodes(contract).length > 0)))("%s", (_name, contract) => {
  test("names every code of its own among those it may answer", () => {
    expect([...(contract.errors ?? []), "invalid_parameter"]).toEqual(expect.arrayContaining(ownCodes(contract)));
  });
});

const namesOf = (all: readonly { contract: Contract }[]) => all.map(({ contract }) => contract.name).sort();

describe("what operations ask for", () => {
  test("a plan, for these alone", () => {
    const asking = features.map((feature) => {
      const own = operations.filter(({ contract }) => contract.feature === feature);
      return [feature, namesOf(own)];
    });
    expect(Object.fromEntries(asking.filter(([, names]) => names?.length))).toEqual({
      crm_sync: ["cancelCrmRun", "configureCrmSync", "getCrmRun", "getCrmSync", "listCrmRuns", "syncCrmNow"],
      lead_lists: [
        ...["changeLead", "changeLeadList", "changeLeads", "createLead", "createLeadList", "createLeads"],
        ...["deleteLead", "deleteLeadList", "deleteLeads", "getLead", "getLeadList", "listLeadLists", "listLeads"],
      ],
    });
    const byField = operations.filter(({ contract }) => typeof contract.feature === "object");
    expect(namesOf(byField)).toEqual(["createBulkAction", "listPeople", "patchImport"]);
  });

  test("no more than to read: every GET but these, and of the others these alone", () => {
    const [gets, others] = [true, false].map((isGet) =>
      operations.filter(
        ({ contract: { http, scope } }) => (http.method === "GET") === isGet && (scope === "read") !== isGet,
      ),
    );
    expect(namesOf(gets ?? [])).toEqual(["listAudit", "listInvitations"]);
    expect(namesOf(others ?? [])).toEqual([
      ...["checkList", "createExport", "getContext", "getContextText", "previewScoringModel", "previewStageRules"],
      ...["queryObservations", "searchNotes", "verifyClaim"],
    ]);
  });
});
