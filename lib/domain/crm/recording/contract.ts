/** What callers may know of people, companies and leads before they ask: the names of fields, stages and states. */
export {
  CUSTOM_NAME,
  type CustomValue,
  companyFields,
  fieldAliases,
  isCustomValue,
  isHigher,
  personFields,
  type Stage,
  stages,
} from "./rules/fields.ts";
export { type LeadStatus, leadStatuses, type ReplyOutcome, replyOutcomes } from "./rules/leads.ts";
