import { abilities } from "#lib/db/distributed/abilities.ts";
import { type BlockRow, byPlace, type Chain, hasPlace } from "./blocks.ts";
import { byId } from "./blocks-by-id.ts";

/**
 * The way in which a chain goes on behind its last block: by the order of the transactions, where the database has one. A chain that was once
 * sealed without it, on several machines, names its entries for good: numbers of their transactions are in no order with those of one machine.
 */
export const chainBehind = (last: BlockRow | null): Chain =>
  abilities().ordersTransactions && (last === null || hasPlace(last)) ? byPlace : byId;
