import { useQueryStates } from "nuqs";
import { accountAddress } from "./address.ts";

/** The page's state, which is the address. */
export const useAccountPlace = () => useQueryStates(accountAddress, { history: "push", scroll: false });
