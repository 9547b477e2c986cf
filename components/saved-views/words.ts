import type { ViewSubject } from "#lib/domain/crm/saved-views/contract.ts";

/** The name of a list without a view. */
export const everyOne: Readonly<Record<ViewSubject, string>> = { people: "All people", companies: "All companies" };
