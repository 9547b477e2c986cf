import { listCompanies, listPeople } from "#lib/domain/crm/people/service.ts";
import type { Operation } from "#lib/domain/implement.ts";
import type { BulkList, BulkVerb } from "../contract.ts";

/** A list whose records can be changed at once. */
type List = {
  /** the operation that pages it */
  list: Operation;
  /** the field of the answer that has the rows */
  rows: string;
  actions: readonly BulkVerb[];
};

export const lists: Readonly<Record<BulkList, List>> = {
  people: {
    list: listPeople as unknown as Operation,
    rows: "people",
    actions: ["set_stage", "set_owner", "archive", "restore", "add_to_list"],
  },
  companies: {
    list: listCompanies as unknown as Operation,
    rows: "companies",
    actions: ["set_owner", "archive", "restore"],
  },
};
