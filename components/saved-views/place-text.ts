import type { Place } from "#components/records/list-kind.ts";
import { changedState, type ParserMap, readState } from "#components/ui/query-state.ts";

/**
 * What a view stores of a list's state: everything but which view is active, as a query string that is equal for equal
 * states.
 */
export function textOfPlace(address: ParserMap, place: Place): string {
  const parameters = changedState(address, new URLSearchParams(), { ...place, view: null });
  parameters.sort();
  return parameters.toString();
}

/** The state that a view stores; parts that the list does not have, or cannot read, are left out. */
export const placeOfText = (address: ParserMap, text: string): Place =>
  readState(address, new URLSearchParams(text)) as Place;
