import type { Filter } from "#components/records/list-kind.ts";
import { outcomeNames, outcomes, statuses, statusNames } from "./looks.ts";

/** Every filter of the API. */
export const leadFilters: readonly Filter[] = [
  {
    id: "status",
    label: "Status",
    kind: "choices",
    choices: statusNames.map((value) => ({ value, label: statuses[value].label })),
  },
  {
    id: "reply_outcome",
    label: "Outcome",
    kind: "choices",
    optional: true,
    choices: outcomeNames.map((value) => ({ value, label: outcomes[value].label })),
  },
  { id: "has_replied", label: "Has replied", kind: "boolean" },
  { id: "has_email", label: "Has e-mail", kind: "boolean" },
  { id: "sent_within", label: "Sent within", kind: "days" },
  { id: "sent_before", label: "Not sent for", kind: "days" },
  {
    id: "score_gte",
    upTo: "score_lte",
    label: "Score",
    kind: "range",
    hint: "From 0 to 1.",
    range: { max: 1, step: 0.01 },
  },
];
