import { useQueryStates } from "#components/ui/use-query-state.ts";
import { accountAddress } from "./address.ts";

/** The page's state, kept in the address. */
export const useAccountPlace = () => useQueryStates(accountAddress, { history: "push" });
