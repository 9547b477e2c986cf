import { type UseQueryStatesKeysMap, useQueryStates } from "nuqs";
import type { Place, PlaceValue } from "./list-kind.ts";

export type SetPlace = (change: Readonly<Record<string, PlaceValue>>, history?: "push" | "replace") => void;

/** The list's state, kept in the address: it can be shared, and the browser's back button undoes a step. */
export function usePlace(address: UseQueryStatesKeysMap): [Place, SetPlace] {
  const [place, setStates] = useQueryStates(address, { scroll: false, clearOnDefault: true });
  const setPlace: SetPlace = (change, history = "push") => void setStates({ ...change }, { history });
  return [place as Place, setPlace];
}
