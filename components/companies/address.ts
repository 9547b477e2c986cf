import { sharedAddress } from "#components/people/address.ts";
import { parseAsString } from "#components/ui/query-state.ts";

/** The list of companies in the address. */
export const companiesAddress = { ...sharedAddress, domain: parseAsString };
