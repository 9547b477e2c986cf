import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import type { Contract } from "#lib/core/operation.ts";
import { type Role, roleForScope, roleIncludes } from "#lib/core/plans.ts";

type Input = Readonly<Record<string, unknown>>;

/** Who asked: a key, by REST or as an agent, or a connected client. */
export function actorOf({ actor, askerId }: { actor: string; askerId: string }): {
  type: "api_key" | "mcp";
  id: string;
} {
  return { type: actor.startsWith("mcp:") ? "mcp" : "api_key", id: askerId };
}

/** The least role of a person who decides about a write of this operation: the one that they need to write it themselves. */
export const roleToDecide = ({ role, scope }: Pick<Contract, "role" | "scope">): Role =>
  role ?? roleForScope(scope === "read" ? "write" : scope);

export const mayDecide = ({ role }: Pick<Caller, "role">, contract: Pick<Contract, "role" | "scope">): boolean =>
  role !== null && roleIncludes(role, roleToDecide(contract));

/** Throws 403 `role_required`. */
export function requireMayDecide(caller: Pick<Caller, "role">, contract: Pick<Contract, "role" | "scope">): void {
  if (!mayDecide(caller, contract)) throw new Fault("role_required", { required_role: roleToDecide(contract) });
}

/** Throws 409 `approval_decided` for a change that waits no longer. */
export function requirePending({ status, decidedBy }: { status: string; decidedBy: string | null }): void {
  if (status !== "pending")
    throw new Fault("approval_decided", { status, ...(decidedBy ? { decided_by: decidedBy } : {}) });
}

const HIDDEN = "••••••••";

/** An input or output without its secrets. */
export const withoutSecrets = (input: Input, secrets: readonly string[] = []): Input =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, secrets.includes(name) ? HIDDEN : value]));

/** Fields that may name a record by its id. */
const NAMING = ["focus", "contact_id", "keep", "drop", "id"];

/** The ids of records that an input names. */
export const idsNamedIn = (input: Input): string[] =>
  NAMING.map((field) => input[field]).filter((value): value is string => typeof value === "string" && isUuid(value));

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** `job_title` as a label: Job title. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_.]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const listOf = (value: unknown): Input[] => (Array.isArray(value) ? (value as Input[]) : []);
const counted = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`;
const activityOf = (property: unknown): string => wordsOf(textOf(property).replace(/^interaction\./, "")).toLowerCase();

type Names = ReadonlyMap<string, string>;
type SummaryOf = (input: Input, who: (field: string, ...others: string[]) => string) => string;

function recordSummary({ observations, focus }: Input, who: string): string {
  const all = listOf(observations);
  const [only] = all;
  const about = focus === "workspace" ? "the workspace" : who;
  if (all.length !== 1 || !only) return `Record ${counted(all.length, "observation")} about ${about}`;
  const property = textOf(only.property);
  if (property.startsWith("note."))
    return only.value === null ? "Retire an entry of the GTM profile" : "Write an entry of the GTM profile";
  if (only.kind === "event") return `Log ${activityOf(property)} with ${about}`;
  return only.value === null ? `End ${activityOf(property)} of ${about}` : `Set ${activityOf(property)} of ${about}`;
}

function factSummary({ section, mode, supersedes }: Input): string {
  if (supersedes !== undefined) return "Replace an entry of the GTM profile";
  const adds = mode === "append" || (mode === undefined && section === "Notes");
  return `${adds ? "Add to" : "Replace"} the section ${textOf(section)} of the GTM profile`;
}

const summaries: Readonly<Record<string, SummaryOf>> = {
  recordObservations: (input, who) => recordSummary(input, who("focus")),
  saveFact: factSummary,
  saveNote: ({ title }, who) => `Save a note on ${who("focus")}${title ? `: ${textOf(title)}` : ""}`,
  capture: ({ type }, who) => `Log ${activityOf(type)} with ${who("contact_id", "email")}`,
  captureBatch: ({ activities }) => `Log ${counted(listOf(activities).length, "activity", "activities")}`,
  upsertPerson: (_, who) => `Create or update ${who("email", "linkedin_url", "phone")}`,
  upsertCompany: (_, who) => `Create or update ${who("domain", "linkedin_url")}`,
  patchPerson: (_, who) => `Change ${who("focus")}`,
  patchCompany: (_, who) => `Change ${who("focus")}`,
  upsertPeople: ({ people }) => `Create or update ${counted(listOf(people).length, "person", "people")}`,
  upsertCompanies: ({ companies }) => `Create or update ${counted(listOf(companies).length, "company", "companies")}`,
  createLeadList: ({ name }) => `Create the lead list ${textOf(name)}`,
  changeLeadList: () => "Change a lead list",
  deleteLeadList: () => "Delete a lead list and its leads",
  createLead: (_, who) => `Add ${who("email", "linkedin_url", "entity_id")} to a lead list`,
  createLeads: ({ leads }) => `Add ${counted(listOf(leads).length, "person", "people")} to a lead list`,
  changeLead: () => "Change a lead",
  changeLeads: ({ lead_ids }) => `Change ${counted(listOf(lead_ids).length, "lead")}`,
  deleteLead: () => "Remove a lead from its list",
  deleteLeads: ({ lead_ids }) => `Remove ${counted(listOf(lead_ids).length, "lead")} from a list`,
  createTask: ({ title }) => `Add a task: ${textOf(title)}`,
  updateTask: ({ done }) => (done === true ? "Mark a task as done" : "Change a task"),
  deleteTask: () => "Delete a task",
  verifyClaim: ({ property }, who) => `Confirm ${activityOf(property)} of ${who("focus")}`,
  mergeAccounts: (_, who) => `Merge ${who("drop")} into ${who("keep")}`,
  unmergeAccounts: () => "Undo a merge",
  erasePerson: (_, who) => `Erase ${who("focus")} for good`,
  testCalendar: () => "Try a calendar",
  connectCalendar: () => "Connect a calendar",
  updateCalendar: () => "Change what a calendar shares or reads",
  syncCalendar: () => "Look for new meetings",
  disconnectCalendar: () => "Disconnect a calendar",
  connectIntegration: ({ provider }) => `Connect ${textOf(provider)}`,
  disconnectIntegration: ({ provider }) => `Disconnect ${textOf(provider)}`,
  sendTestDelivery: ({ provider }) => `Send a test delivery of ${textOf(provider)}`,
  replayInboundDelivery: () => "Process a delivery again",
  connectMailbox: ({ address }) => `Connect the mailbox ${textOf(address)}`,
  testMailbox: ({ address }) => `Test the mailbox ${textOf(address)}`,
  updateMailbox: () => "Change what is read of a mailbox, or who sees it",
  syncMailbox: () => "Look for new mail now",
  disconnectMailbox: () => "Disconnect a mailbox",
  setInboundRetention: () => "Change how long deliveries are kept",
  correctActivity: () => "Correct an activity",
  removeActivity: () => "Remove an activity",
  restoreActivity: () => "Restore a removed activity",
  addIdentifier: (_, who) => `Add an identifier to ${who("focus")}`,
  removeIdentifier: (_, who) => `Remove an identifier of ${who("focus")}`,
  allowAgain: () => "Let webhooks and imports create an erased person again",
  createImport: ({ name, file_name }) => `Upload a file to import: ${textOf(name) || textOf(file_name) || "CSV"}`,
  patchImport: () => "Change how a file is imported",
  previewImport: () => "Check what an import would do",
  runImport: () => "Import a file",
  cancelImport: () => "Cancel an import",
  undoImport: () => "Undo an import",
  createBulkAction: ({ what, action }) =>
    `Change many ${textOf(what)} at once: ${wordsOf(textOf(action)).toLowerCase()}`,
  cancelBulkAction: () => "Stop a bulk action",
  undoBulkAction: () => "Undo a bulk action",
  cancelExport: () => "Cancel an export",
  deleteExport: () => "Delete an export",
  createTrigger: ({ url }) => `Send events to ${textOf(url)}`,
  changeTrigger: () => "Change a trigger",
  deleteTrigger: () => "Delete a trigger",
  resumeTrigger: () => "Resume a trigger",
  rotateTriggerSecret: () => "Replace the secret of a trigger",
  testTrigger: () => "Send a test event to a trigger",
  replayTriggerDelivery: () => "Send a delivery of a trigger again",
  replayTriggerDeliveries: () => "Send deliveries of a trigger again",
  skipTriggerDelivery: () => "Skip a delivery of a trigger",
  configureCrmSync: ({ provider }) => `Change what is pushed to ${textOf(provider)}`,
  syncCrmNow: ({ provider }) => `Push people to ${textOf(provider)}`,
  cancelCrmRun: () => "Cancel a run of the CRM sync",
  buildScoringModel: () => "Build the ICP scoring model",
  setWorkspaceProfile: () => "Change the workspace's profile",
};

/** What a call would change, in a few words. `names`: of records, by id. */
export function summaryOf(operation: string, input: Input, names: Names): string {
  const who = (...fields: string[]): string => {
    const named = fields.map((field) => textOf(input[field])).find((text) => text !== "");
    return named === undefined ? "someone" : (names.get(named) ?? named);
  };
  return (summaries[operation]?.(input, who) ?? wordsOf(operation)).slice(0, 300);
}

const OF_PROFILE = ["saveFact", "setWorkspaceProfile"];

/** What a call is about, by its name now or as the input has it; null: several records, or none. `names`: of records, by id. */
export function recordNamed(operation: string, input: Input, names: Names): { id: string | null; name: string } | null {
  if (OF_PROFILE.includes(operation) || input.focus === "workspace") return { id: null, name: "GTM profile" };
  const named = planOf(operation, input).focus;
  if (!named) return null;
  const name = names.get(named);
  return name === undefined ? { id: null, name: named.slice(0, 300) } : { id: named, name };
}

/** One thing that a call would change. `property`: what of the record it replaces. */
export type Proposal = { label: string; kind: "value" | "text"; after: string | null; property?: string };

/** What a call would change, and where it says what is there now. */
export type Plan = {
  /** What names the record; null: none. */
  focus: string | null;
  /** The facts of the GTM profile that it replaces: of a section, or one by its id. */
  replaces?: { section: string } | { fact: string };
  proposals: Proposal[];
};

/** A value as text, as it is compared with another. */
export function shownValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const proposalOf = (name: string, value: unknown, property?: string): Proposal => ({
  label: wordsOf(name),
  kind: typeof value === "string" && (value.length > 120 || value.includes("\n")) ? "text" : "value",
  after: shownValue(value),
  ...(property === undefined ? {} : { property }),
});

/** Each field but these, as it is. */
const fieldsOf = (input: Input, besides: readonly string[]): Proposal[] =>
  Object.entries(input)
    .filter(([name, value]) => !besides.includes(name) && value !== undefined)
    .map(([name, value]) => proposalOf(name, value));

const rowsOf = (rows: readonly Input[]): Proposal[] =>
  rows.map((row, index) => ({
    label: `${index + 1}`,
    kind: "value",
    after: Object.entries(row)
      .map(([name, value]) => `${wordsOf(name)}: ${shownValue(value) ?? "nothing"}`)
      .join("\n"),
  }));

/** A record whose fields are changed. */
const recordOf = (input: Input, naming: readonly string[]): Plan => ({
  focus: naming.map((field) => textOf(input[field])).find((text) => text !== "") ?? null,
  proposals: Object.entries(input)
    .filter(([name]) => name !== "focus")
    .map(([name, value]) => proposalOf(name, value, name)),
});

function observationsOf({ focus, observations }: Input): Plan {
  const all = listOf(observations);
  const [first] = all;
  const factId =
    all.length === 1 && textOf(first?.property).startsWith("note.") ? textOf(first?.property).slice(5) : null;
  return {
    focus: textOf(focus),
    ...(factId ? { replaces: { fact: factId } } : {}),
    proposals: all.map(({ kind, property, value }): Proposal => {
      const name = textOf(property);
      if (kind === "event")
        return { ...proposalOf(activityOf(name), value), after: shownValue(value) ?? "It happened" };
      if (!name.startsWith("note.")) return proposalOf(name, value, name);
      const { category = "Notes", content = value } = (
        typeof value === "object" && value !== null ? value : {}
      ) as Input;
      return { label: textOf(category), kind: "text", after: shownValue(content) };
    }),
  };
}

function factOf({ section, content, mode, supersedes }: Input): Plan {
  const name = textOf(section);
  const adds = mode === "append" || (mode === undefined && name === "Notes");
  const replaces = typeof supersedes === "string" ? { fact: supersedes } : adds ? null : { section: name };
  return {
    focus: "workspace",
    ...(replaces ? { replaces } : {}),
    proposals: [{ label: name, kind: "text", after: textOf(content) }],
  };
}

const plans: Readonly<Record<string, (input: Input) => Plan>> = {
  recordObservations: observationsOf,
  saveFact: factOf,
  saveNote: (input) => ({
    focus: textOf(input.focus),
    proposals: [
      ...fieldsOf(input, ["focus", "content"]),
      { label: "Text", kind: "text", after: textOf(input.content) },
    ],
  }),
  capture: (input) => ({
    focus: textOf(input.contact_id) || textOf(input.email) || null,
    proposals: fieldsOf(input, ["contact_id"]),
  }),
  captureBatch: ({ activities }) => ({ focus: null, proposals: rowsOf(listOf(activities)) }),
  upsertPerson: (input) => recordOf(input, ["email", "linkedin_url", "phone"]),
  upsertCompany: (input) => recordOf(input, ["domain", "linkedin_url"]),
  patchPerson: (input) => recordOf(input, ["focus"]),
  patchCompany: (input) => recordOf(input, ["focus"]),
  upsertPeople: ({ people }) => ({ focus: null, proposals: rowsOf(listOf(people)) }),
  upsertCompanies: ({ companies }) => ({ focus: null, proposals: rowsOf(listOf(companies)) }),
  createLead: (input) => recordOf(input, ["email", "linkedin_url", "entity_id"]),
  createLeads: ({ leads }) => ({ focus: null, proposals: rowsOf(listOf(leads)) }),
  createTask: (input) => ({ focus: textOf(input.focus) || null, proposals: fieldsOf(input, ["focus"]) }),
  verifyClaim: ({ focus, property }) => ({
    focus: textOf(focus),
    proposals: [
      { label: wordsOf(textOf(property)), kind: "value", after: "Confirmed as it is now", property: textOf(property) },
    ],
  }),
  mergeAccounts: (input) => ({ focus: textOf(input.drop), proposals: fieldsOf(input, ["dry_run"]) }),
  erasePerson: ({ focus }) => ({
    focus: textOf(focus),
    proposals: [{ label: "Everything known of this person", kind: "value", after: null }],
  }),
};

/** What a call would change, as far as the input says it. */
export const planOf = (operation: string, input: Input): Plan =>
  plans[operation]?.(input) ?? { focus: null, proposals: fieldsOf(input, []) };
