import { useCallback } from "react";
import type { ParserMap } from "#components/ui/query-state.ts";
import { useQueryStates } from "#components/ui/use-query-state.ts";
import type { Place, PlaceValue } from "./list-kind.ts";

export type SetPlace = (change: Readonly<Record<string, PlaceValue>>, history?: "push" | "replace") => void;

/** The list's state, kept in the address: it can be shared, and the browser's back button undoes a step. */
export function usePlace(address: ParserMap): [Place, SetPlace] {
  const [place, setStates] = useQueryStates(address);
  const setPlace = useCallback<SetPlace>((change, history = "push") => setStates(change, { history }), [setStates]);
  return [place as Place, setPlace];
}
