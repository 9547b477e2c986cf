/** What every contract says of itself. */
import { describe, expect, test } from "vitest";
import type { Contract } from "#lib/core/operation.ts";
import { features, type Role } from "#lib/core/plans.ts";
import { operations, userOperations } from "#lib/registry.ts";

const contracts = [...operations, ...userOperations].map(({ contract }) => contract as Contract);
const named = (all: readonly Contract[]) => all.map((contract) => [contract.name, contract] as const);

describe.each(named(contracts))("%s", (name, contract) => {
  test("has an example its own schemas accept, a summary, and a name in camel case", () => {
    contract.input.parse(contract.example.input);
    if (contract.surface === "public") contract.output.parse(contract.example.output);
    else expect(contract.example.output, "only public ones are in the document").toBeUndefined();
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
    const byField = operations.flatMap(({ contract: { name, feature } }) =>
      typeof feature === "object" ? [[name, feature] as const] : [],
    );
    expect(Object.fromEntries(byField)).toEqual({
      changeApiKey: { kinds: "key_limits", hidden_fields: "key_limits" },
      changeConnectedClient: { kinds: "key_limits", hidden_fields: "key_limits" },
      createBulkAction: { list: "lead_lists", list_id: "lead_lists" },
      listPeople: { list_id: "lead_lists" },
      mintApiKey: { kinds: "key_limits", hidden_fields: "key_limits" },
      patchImport: { list_id: "lead_lists" },
    });
  });

  test("the scope admin, for these alone", () => {
    expect(namesOf(operations.filter(({ contract }) => contract.scope === "admin"))).toEqual([
      ...["addDirectoryGroup", "allowAgain", "cancelCrmRun", "changeApiKey", "changeRole", "changeTrigger"],
      "checkIntegration",
      ...["configureCrmSync", "connectIntegration", "createTrigger", "deleteTrigger", "deleteWorkspace"],
      ...[
        "disconnectIntegration",
        "erasePerson",
        "followGroups",
        "getDirectory",
        "invite",
        "listAudit",
        "listInvitations",
        "loadSampleData",
      ],
      ...["mintApiKey", "registerAgain", "removeDirectoryGroup", "removeSampleData", "replayInboundDelivery"],
      ...["replayTriggerDeliveries", "replayTriggerDelivery", "resetStageRules", "resumeTrigger", "retryJob"],
      ...["revokeApiKey", "revokeInvitation", "rotateApiKey", "rotateTriggerSecret", "saveStageRules"],
      ...[
        "sendTestDelivery",
        "setGroupRole",
        "setInboundRetention",
        "setMailCeiling",
        "setSignInDemand",
        "skipTriggerDelivery",
        "syncCrmNow",
        "testIntegration",
      ],
      ...["testTrigger", "updateWorkspace"],
    ]);
  });

  test("a role, for these alone", () => {
    const ofRole = (role: Role) => namesOf(operations.filter(({ contract }) => contract.role === role));
    expect(ofRole("owner")).toEqual(["deleteWorkspace", "followGroups"]);
    expect(ofRole("admin")).toEqual([
      ...[
        "addDirectoryGroup",
        "changeApiKey",
        "changeRole",
        "checkIntegration",
        "getBackups",
        "getDirectory",
        "invite",
      ],
      ...[
        "listInvitations",
        "listJobs",
        "listOwners",
        "loadSampleData",
        "mintApiKey",
        "registerAgain",
        "removeDirectoryGroup",
      ],
      ...["removeSampleData", "resetStageRules"],
      ...["retryJob", "revokeApiKey", "revokeInvitation", "rotateApiKey", "saveStageRules", "setGroupRole"],
      ...["setMailCeiling", "setSignInDemand", "testIntegration", "updateWorkspace"],
    ]);
    expect([...ofRole("viewer"), ...ofRole("member")]).toEqual([]);
  });

  test("no session, of the operations of people: these alone", () => {
    const open = userOperations.filter(({ access }) => access !== "signed-in");
    expect(Object.fromEntries(open.map(({ contract, access }) => [contract.name, access]))).toEqual({
      beginPasskeyUse: "anyone",
      pollDeviceLogin: "program",
      readInvitation: "anyone",
      requestPasswordReset: "anyone",
      resetPassword: "anyone",
      revokePresentedKey: "program",
      signUp: "anyone",
      startDeviceLogin: "program",
    });
  });

  test("a recent proof of who it is, for these alone", () => {
    const all = [...operations, ...userOperations].map(({ contract }) => contract as Contract);
    expect(namesOf(all.filter(({ recent }) => recent).map((contract) => ({ contract })))).toEqual([
      ...["addPasskey", "approveDeviceLogin", "beginPasskey", "beginSecondFactor", "changePassword"],
      ...[
        "confirmSecondFactor",
        "decideAuthorization",
        "deleteWorkspace",
        "followGroups",
        "mintApiKey",
        "removePasskey",
      ],
      ...["removeSecondFactor", "renewRecoveryCodes", "revokeSession", "rotateApiKey", "setSignInDemand"],
    ]);
    const asks = (name: string, input: unknown) =>
      all.find((contract) => contract.name === name)?.recent?.(input as never);
    expect(asks("mintApiKey", { scopes: ["read", "admin"] })).toBe(true);
    expect(asks("mintApiKey", { scopes: ["read", "write"] })).toBe(false);
    expect(asks("approveDeviceLogin", { scopes: ["admin"] })).toBe(true);
    expect(asks("approveDeviceLogin", { scopes: ["write"] })).toBe(false);
    expect(asks("changePassword", { password: "a first long one" })).toBe(true);
    expect(asks("changePassword", { current_password: "x", password: "y" })).toBe(false);
    const request = { scope: "read admin" };
    expect(asks("decideAuthorization", { approve: true, request })).toBe(true);
    expect(asks("decideAuthorization", { approve: true, request, scopes: ["admin"] })).toBe(true);
    expect(asks("decideAuthorization", { approve: true, request, scopes: ["read"] })).toBe(false);
    expect(asks("decideAuthorization", { approve: false, request })).toBe(false);
    expect(asks("decideAuthorization", { approve: true, request: {} })).toBe(false);
  });

  test("that secrets are kept encrypted, in these fields", () => {
    const all = [...operations, ...userOperations].map(({ contract }) => contract as Contract);
    const fieldsOf = (kind: "input" | "output") =>
      Object.fromEntries(all.flatMap(({ name, secrets }) => (secrets?.[kind] ? [[name, secrets[kind]] as const] : [])));
    expect(fieldsOf("input")).toEqual({
      connectCalendar: ["password", "address"],
      connectIntegration: ["credentials"],
      connectMailbox: ["password"],
      testCalendar: ["password", "address"],
      testIntegration: ["credentials"],
      testMailbox: ["password"],
      updateCalendar: ["password", "address"],
      updateMailbox: ["password"],
    });
    expect(fieldsOf("output")).toEqual({
      addPasskey: ["recovery_codes"],
      approveChange: ["result"],
      beginSecondFactor: ["secret", "uri", "qr"],
      confirmSecondFactor: ["recovery_codes"],
      createTrigger: ["secret"],
      getContext: ["conversation"],
      getContextText: ["text", "sections", "context"],
      invite: ["link"],
      mintApiKey: ["api_key"],
      pollDeviceLogin: ["api_key"],
      renewRecoveryCodes: ["recovery_codes"],
      rotateApiKey: ["api_key"],
      rotateTriggerSecret: ["secret"],
      searchNotes: ["documents"],
      startDeviceLogin: ["device_code"],
    });
  });

  test("no more than to read: every GET but these, and of the others these alone", () => {
    const [gets, others] = [true, false].map((isGet) =>
      operations.filter(
        ({ contract: { http, scope } }) => (http.method === "GET") === isGet && (scope === "read") !== isGet,
      ),
    );
    expect(namesOf(gets ?? [])).toEqual(["getDirectory", "listAudit", "listInvitations"]);
    expect(namesOf(others ?? [])).toEqual([
      // Among them what changes only what is the caller's own: their clients, their Home, their membership.
      ...["changeConnectedClient", "checkList", "createExport", "getContext", "getContextText", "hideAttention"],
      ...["previewScoringModel", "previewStageRules", "queryObservations", "removeMember", "resolveFocus"],
      ...["revokeConnectedClient", "scoreRows", "searchNotes", "showAttention", "verifyClaim"],
    ]);
  });
});
