import type { Db } from "#lib/db/handle.ts";
import { deleteRefusalsFrom } from "./queries.ts";

export { getLogAddress, renewLogAddress } from "./service/address.ts";

/** Forgets refused mails from the addresses of people who are being erased. */
export const forgetRefusals = ({ db }: { db: Db }, addresses: readonly string[]): Promise<void> =>
  deleteRefusalsFrom(db, addresses);
