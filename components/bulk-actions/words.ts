import { stageLabels } from "#components/records/stages.ts";
import { numeral } from "#components/ui/numbers.ts";
import type { BulkAction } from "#lib/domain/crm/bulk-actions/contract.ts";

const nouns = { people: ["person", "people"], companies: ["company", "companies"] } as const;

const counted = ({ what }: Pick<BulkAction, "what">, count: number): string =>
  `${numeral(count)} ${nouns[what][count === 1 ? 0 : 1]}`;

export const isUnderWay = ({ state }: Pick<BulkAction, "state">): boolean =>
  state === "queued" || state === "running" || state === "undoing";

const verbs = {
  set_stage: "moved",
  set_owner: "given",
  archive: "archived",
  restore: "restored",
  add_to_list: "added to the list",
} as const;

const doing = {
  set_stage: "Moving",
  set_owner: "Giving",
  archive: "Archiving",
  restore: "Restoring",
  add_to_list: "Adding",
} as const;

/** The stage or owner that records get. */
const newStateOf = ({ pipeline_stage: stage, owner }: BulkAction): string =>
  stage ? ` to ${stageLabels[stage]}` : owner === "none" ? " to no one" : owner ? ` to ${owner}` : "";

const towards = (action: BulkAction): string => (action.action === "add_to_list" ? " to the list" : newStateOf(action));

const leftWords = (kept: number): string => {
  if (kept === 0) return "";
  return kept === 1
    ? " 1 was changed since and stays as it is."
    : ` ${numeral(kept)} were changed since and stay as they are.`;
};

/** What is going on, or what the result is, in a sentence. */
export function titleOf(action: BulkAction): string {
  const { what, state, total, changed, undo } = action;
  const many = nouns[what][1];
  if (state === "queued") return `Looking for the ${many} that match`;
  if (state === "running") return `${doing[action.action]} ${counted(action, total ?? 0)}${towards(action)}`;
  if (state === "undoing") return `Undoing the change of ${counted(action, changed)}`;
  if (state === "undone") return `Undone for ${counted(action, undo?.restored ?? 0)}.${leftWords(undo?.kept ?? 0)}`;
  const result = `${counted(action, changed)} ${verbs[action.action]}${newStateOf(action)}.`;
  return state === "done" ? result : `Stopped: ${result.charAt(0).toLowerCase()}${result.slice(1)}`;
}

/** What else there is to say; null: nothing. */
export function detailOf(action: BulkAction): string | null {
  const { state, total, done, changed, unchanged, skipped, undo, message } = action;
  if (message) return message;
  if (state === "running" && total !== null) return `${numeral(done)} of ${numeral(total)}`;
  if (state === "undoing") return `${numeral(undo?.done ?? 0)} of ${numeral(changed)}`;
  if (state === "queued" || state === "undone") return null;
  const rest = [
    ...(unchanged > 0 ? [`${numeral(unchanged)} needed no change`] : []),
    ...(skipped > 0 ? [`${numeral(skipped)} merged or erased meanwhile`] : []),
    ...(state !== "done" && total !== null && total > done ? [`${numeral(total - done)} not done`] : []),
  ];
  return rest.length > 0 ? `${rest.join(", ")}.` : null;
}

/** From 0 to 1; 0 while it is not known how many there are. */
export function shareOf({ state, total, done, changed, undo }: BulkAction): number {
  if (state === "undoing") return changed > 0 ? (undo?.done ?? 0) / changed : 1;
  return total ? done / total : 0;
}

/** It changed something that can be put back. */
export const canUndo = ({ state, changed }: BulkAction): boolean =>
  (state === "done" || state === "cancelled" || state === "failed") && changed > 0;
