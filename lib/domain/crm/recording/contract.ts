/** What callers may know of people, companies and leads before they ask: the names of fields, stages and states. */
export {
  CUSTOM_NAME,
  type CustomValue,
  companyFields,
  fieldAliases,
  isCustomValue,
  personFields,
} from "./rules/fields.ts";
export { type LeadStatus, leadStatuses, type ReplyOutcome, replyOutcomes } from "./rules/leads.ts";
export { isHigher, type Stage, stages } from "./rules/stages.ts";
