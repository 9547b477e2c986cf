export { followIcpScores, removeImportedLeads, removeUntouchedLeads } from "./queries/changes.ts";
export { deleteListsOfSource, findLeadColumns, keepList } from "./queries/lists.ts";
export { addPeople, createLead, createLeads } from "./service/add.ts";
export { changeLead, changeLeads, deleteLead, deleteLeads } from "./service/change.ts";
export { addImported, requireList } from "./service/imported.ts";
export {
  changeLeadList,
  createLeadList,
  deleteLeadList,
  getLeadList,
  listLeadLists,
  listNamed,
  makeList,
} from "./service/lists.ts";
export { followMerge, followUnmerge } from "./service/merges.ts";
export { getLead, listLeads } from "./service/read.ts";
