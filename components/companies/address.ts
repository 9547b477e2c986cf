import { parseAsString } from "nuqs/server";
import { sharedAddress } from "#components/people/address.ts";

/** The list of companies in the address. */
export const companiesAddress = { ...sharedAddress, domain: parseAsString };
