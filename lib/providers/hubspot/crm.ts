import type { CrmAdapter } from "../crm.ts";
import { fields, findByEmail, listContacts, prepare, readContacts, writeContacts } from "./contacts.ts";
import { addEntry, findEntry } from "./entries.ts";

/** HubSpot allows 100 calls in 10 seconds on its smallest plan, and 5 searches a second; this leaves a third of it. */
export const hubspotCrm: CrmAdapter = {
  fields,
  groups: [],
  batch: 100,
  pace: { read: 150, write: 150, search: 300 },
  open: (session) => ({
    prepare: () => prepare(session),
    findByEmail: (emails) => findByEmail(session, emails),
    listContacts: (cursor) => listContacts(session, cursor),
    readContacts: (ids) => readContacts(session, ids),
    writeContacts: (writes) => writeContacts(session, writes),
    addEntry: (recordId, entry) => addEntry(session, recordId, entry),
    findEntry: (recordId, entry) => findEntry(session, recordId, entry),
  }),
};
