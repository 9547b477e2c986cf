import { stageLabels } from "#components/records/stages.ts";
import { counted, numeral } from "#components/ui/numbers.ts";
import type { CrmConfig, CrmRun, CrmRunRow, RowOutcome } from "./crm-calls.ts";

export const isUnderWay = ({ state }: CrmRun): boolean => ["queued", "running", "waiting"].includes(state);

/** What a run is called. */
export const runTitle = ({ kind, cause }: CrmRun): string => {
  if (kind === "dry_run") return "Dry run";
  if (kind === "hygiene") return "Check of records";
  return cause === "auto" ? "Automatic sync" : "Sync";
};

/** The counts of a run that are not zero, with their outcome. */
export function countsOf(run: CrmRun): { outcome: RowOutcome | null; text: string }[] {
  const would = run.kind === "dry_run" ? "would be " : "";
  const all: [RowOutcome | null, number, string][] = [
    ["created", run.created, `${would}created`],
    ["updated", run.updated, `${would}updated`],
    ["unchanged", run.unchanged, "unchanged"],
    ["skipped", run.skipped, "left out"],
    ["finding", run.findings, run.findings === 1 ? "finding" : "findings"],
    ["failed", run.failed, "failed"],
    [null, run.matched, "linked"],
    [null, run.notes, run.notes === 1 ? "note" : "notes"],
    [null, run.activities, run.activities === 1 ? "activity" : "activities"],
  ];
  return all.flatMap(([outcome, count, text]) => (count > 0 ? [{ outcome, text: `${numeral(count)} ${text}` }] : []));
}

/** How far a run is, in a sentence without its counts. */
export function placeOf(run: CrmRun): string {
  const { state, total, compared, kind } = run;
  if (total === null) return "Waiting to start.";
  const people = kind === "hygiene" ? counted(total, "record") : counted(total, "person", "people");
  if (state === "done") return `${people} compared.`;
  if (state === "failed" || state === "cancelled" || state === "blocked")
    return `Stopped after ${numeral(compared)} of ${people}.`;
  return `${numeral(compared)} of ${people} compared.`;
}

export const outcomeWords: Readonly<
  Record<RowOutcome, { done: string; would: string; tone: "success" | "neutral" | "warning" | "danger" | "accent" }>
> = {
  created: { done: "Created", would: "Would be created", tone: "success" },
  updated: { done: "Updated", would: "Would be updated", tone: "accent" },
  unchanged: { done: "Unchanged", would: "Unchanged", tone: "neutral" },
  skipped: { done: "Left out", would: "Left out", tone: "neutral" },
  finding: { done: "Finding", would: "Finding", tone: "warning" },
  failed: { done: "Failed", would: "Failed", tone: "danger" },
};

const fieldWords: Readonly<Record<string, string>> = {
  email: "e-mail",
  first_name: "first name",
  last_name: "last name",
  job_title: "title",
  company: "company",
  company_domain: "company",
  phone: "phone",
  linkedin_url: "LinkedIn",
  stage: "stage",
};

/** What a row is about, beside its outcome. */
export function rowWords({ fields, notes, activities, message }: CrmRunRow): string {
  const parts = [
    ...new Set(fields.map((field) => fieldWords[field] ?? field)),
    ...(notes > 0 ? [counted(notes, "note")] : []),
    ...(activities > 0 ? [counted(activities, "activity", "activities")] : []),
  ];
  return [parts.join(", "), message].filter(Boolean).join(". ");
}

export const triggerWords: Readonly<Record<CrmConfig["createTrigger"], string>> = {
  any: "Everyone with an e-mail address",
  engaged: "Once something has happened with them",
  interested: `From the stage ${stageLabels.interested} on`,
  evaluating: `From the stage ${stageLabels.evaluating} on`,
  client: `From the stage ${stageLabels.client} on`,
};

/** The rules in two sentences. */
export function rulesWords(config: CrmConfig | null): string {
  if (!config) return "Not set up yet: a sync updates contacts that are in the CRM already, and creates none.";
  const pushed = config.pushActivities ? "Contacts, stages, notes and activities" : "Contacts and stages";
  const when = config.autoSync ? "within minutes of a change" : "when you start a sync";
  const fit = config.createRequireIcpFit ? `, with an ICP score of ${config.createIcpThreshold} or more` : "";
  const who = config.createInCrm
    ? `New contacts: ${triggerWords[config.createTrigger].toLowerCase()}${fit}.`
    : "No new contacts are created.";
  return `${pushed} are pushed ${when}. ${who}`;
}
