/**
 * What each operation reaches: the one table by which keys and clients are limited to kinds of records, and kept from fields. An operation that is not in it
 * is refused to every caller with limits. What an operation may create is among what it reaches: a person brings a company by the domain of an address.
 */

import { Fault } from "#lib/core/errors.ts";
import { type Limits, type RecordKind, recordKinds } from "#lib/core/limits.ts";
import type { Contract } from "#lib/core/operation.ts";

/**
 * How it holds properties of people and companies: not at all, each under its name, so that one can be taken out, or in texts, counts and files, from which
 * none can.
 */
type Holding = "none" | "named" | "mixed";
type Reach = {
  kinds: readonly RecordKind[];
  fields: Holding;
  /** Input fields that reach another kind, when they are given. */
  inputs?: Readonly<Record<string, RecordKind>>;
};

const reach = (fields: Holding, ...kinds: RecordKind[]): Reach => ({ kinds, fields });
const contacts = (fields: Holding, ...more: RecordKind[]): Reach => reach(fields, "people", "companies", ...more);
const everything = (fields: Holding): Reach => reach(fields, ...recordKinds);

const table: Readonly<Record<string, Reach>> = {
  // the workspace itself
  getCaller: reach("none"),
  getWorkspaceStatus: reach("none"),
  getStageRules: reach("none"),
  listTriggerEvents: reach("none"),
  getChecks: contacts("none"),
  getApproval: reach("mixed"),
  listApprovals: reach("mixed"),
  // people and companies
  listPeople: { ...reach("named", "people"), inputs: { company: "companies", list_id: "leads" } },
  getPerson: reach("named", "people"),
  upsertPerson: contacts("named"),
  upsertPeople: contacts("named"),
  patchPerson: contacts("named"),
  listCompanies: reach("named", "companies"),
  getCompany: reach("named", "companies"),
  upsertCompany: reach("named", "companies"),
  upsertCompanies: reach("named", "companies"),
  patchCompany: reach("named", "companies"),
  listProperties: contacts("named"),
  listPropertyValues: contacts("named"),
  resolveFocus: contacts("none"),
  getHistory: contacts("named"),
  verifyClaim: contacts("named"),
  recordObservations: contacts("named", "activities", "notes", "facts"),
  addIdentifier: contacts("named"),
  removeIdentifier: contacts("named"),
  getAccount: contacts("named", "activities", "notes", "facts"),
  listMerges: contacts("mixed"),
  suggestMerges: contacts("mixed"),
  mergeAccounts: contacts("mixed", "activities", "notes"),
  unmergeAccounts: contacts("mixed", "activities", "notes"),
  checkList: contacts("mixed"),
  // what happened
  capture: contacts("none", "activities"),
  captureBatch: contacts("none", "activities"),
  listActivities: contacts("named", "activities"),
  getTimeline: contacts("named", "activities"),
  listThreads: contacts("mixed", "activities"),
  getThread: contacts("mixed", "activities"),
  listMeetings: contacts("mixed", "activities"),
  getMeeting: contacts("mixed", "activities"),
  correctActivity: contacts("named", "activities"),
  removeActivity: contacts("named", "activities"),
  restoreActivity: contacts("named", "activities"),
  // notes
  saveNote: contacts("none", "notes"),
  getNote: reach("none", "notes"),
  listNotes: reach("none", "notes"),
  searchNotes: { ...reach("none", "notes"), inputs: { types: "activities" } },
  // leads and tasks
  listLeadLists: reach("none", "leads"),
  createLeadList: reach("none", "leads"),
  getLeadList: reach("none", "leads"),
  changeLeadList: reach("none", "leads"),
  deleteLeadList: reach("none", "leads"),
  listLeads: reach("named", "leads", "people"),
  getLead: reach("named", "leads", "people"),
  createLead: contacts("named", "leads"),
  createLeads: contacts("named", "leads"),
  changeLead: reach("named", "leads", "people"),
  changeLeads: reach("named", "leads", "people"),
  deleteLead: reach("named", "leads", "people"),
  deleteLeads: reach("named", "leads", "people"),
  createTask: reach("none", "tasks"),
  listTasks: reach("none", "tasks"),
  getTask: reach("none", "tasks"),
  updateTask: reach("none", "tasks"),
  deleteTask: reach("none", "tasks"),
  // the GTM profile, and scores
  listFacts: reach("none", "facts"),
  saveFact: reach("none", "facts"),
  getAgentView: reach("none", "facts"),
  setWorkspaceProfile: reach("none", "facts"),
  getScoringModel: reach("none", "facts"),
  listScoringModels: reach("none", "facts"),
  buildScoringModel: reach("none", "facts"),
  getAccountScore: contacts("mixed", "facts"),
  previewScoringModel: contacts("mixed", "facts"),
  scoreRows: contacts("mixed", "facts"),
  previewStageRules: contacts("named"),
  // all of it
  getContext: everything("named"),
  listAttention: contacts("named", "activities", "tasks"),
  queryObservations: contacts("mixed", "activities", "notes", "facts"),
  listChanges: everything("named"),
  summariseChanges: everything("mixed"),
};

/** What an operation reaches; null: it is not in the table. */
export const reachOf = (name: string): Reach | null => table[name] ?? null;

/** Whether a caller with these limits may run it. */
export const isWithin = (contract: Pick<Contract, "name" | "scope">, limits: Limits): boolean =>
  refusalOf(contract, limits) === null;

/** Throws 403 `beyond_limits` when the limits of the caller do not have what the operation reaches. */
export function requireWithin(contract: Pick<Contract, "name" | "scope">, limits: Limits): void {
  const refusal = refusalOf(contract, limits);
  if (refusal) throw refusal;
}

/** Throws 403 `beyond_limits` when a field of the input reaches a kind that the limits of the caller do not have: a filter would tell of it. */
export function requireInputWithin({ name }: Pick<Contract, "name">, limits: Limits, input: object): void {
  const inputs = reachOf(name)?.inputs;
  if (!inputs || limits.kinds.length === 0) return;
  for (const [field, kind] of Object.entries(inputs))
    if (input[field as keyof typeof input] !== undefined && !limits.kinds.includes(kind))
      throw beyond(kind, limits.kinds, `${field} reaches ${kind}`);
}

const beyond = (kind: RecordKind, kinds: readonly RecordKind[], what: string): Fault =>
  new Fault("beyond_limits", { kind }, `${what}; the credential is limited to ${kinds.join(", ")}.`);

function refusalOf({ name, scope }: Pick<Contract, "name" | "scope">, limits: Limits): Fault | null {
  const reached = reachOf(name);
  if (!reached || scope === "admin")
    return new Fault("beyond_limits", {}, "Keys and clients with limits may not call this.");
  const { kinds, hiddenFields } = limits;
  const kind = kinds.length === 0 ? undefined : reached.kinds.find((each) => !kinds.includes(each));
  if (kind !== undefined) return beyond(kind, kinds, `This reaches ${kind}`);
  if (hiddenFields.length > 0 && reached.fields === "mixed")
    return new Fault(
      "beyond_limits",
      { hidden_fields: hiddenFields },
      `The answer could tell what is hidden from this credential: ${hiddenFields.join(", ")}.`,
    );
  return null;
}
