export { LeadStatus, MOST_FIELDS, ReplyOutcome } from "./contract/fields.ts";
export { Lead } from "./contract/lead.ts";
export { LeadList } from "./contract/list.ts";
export { changeLeadList, createLeadList, deleteLeadList, getLeadList, listLeadLists } from "./contract/lists.ts";
export { getLead, leadSorts, listLeads } from "./contract/read.ts";
export {
  changeLead,
  changeLeads,
  createLead,
  createLeads,
  deleteLead,
  deleteLeads,
  LeadInput,
  MOST_LEADS,
} from "./contract/write.ts";
