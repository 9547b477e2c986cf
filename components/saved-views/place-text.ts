import { createLoader, createSerializer, type ParserMap } from "nuqs";
import type { Place } from "#components/records/list-kind.ts";

/** What a view keeps of a list's place: all but which view it is, as a query string that is the same for the same place. */
export function textOfPlace(address: ParserMap, place: Place): string {
  const parameters = new URLSearchParams(createSerializer(address)({ ...place, view: null }));
  parameters.sort();
  return parameters.toString();
}

/** The place a view keeps; what the list does not have, or cannot have in this form, is nothing. */
export const placeOfText = (address: ParserMap, text: string): Place =>
  createLoader(address)(new URLSearchParams(text)) as Place;
