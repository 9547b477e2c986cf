import { abilities } from "#lib/db/distributed/abilities.ts";
import { byPlace, type Chain } from "./blocks.ts";
import { byId } from "./blocks-by-id.ts";

/** As the database can: by the order of its transactions where it has one. */
export const chain = (): Chain => (abilities().ordersTransactions ? byPlace : byId);
