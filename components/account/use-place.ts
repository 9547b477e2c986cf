import { useQueryStates } from "nuqs";
import { accountAddress } from "./address.ts";

/** The page's state, kept in the address. */
export const useAccountPlace = () => useQueryStates(accountAddress, { history: "push", scroll: false });
