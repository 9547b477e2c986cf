import { useRef } from "react";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { inOrder, nextPlaces, type Places } from "./order.ts";

/** The entries in an order that holds while the page is open. */
export function useOrder(entries: readonly EntryVersion[]): EntryVersion[] {
  const places = useRef<Places | null>(null);
  places.current = nextPlaces(entries, places.current);
  return inOrder(entries, places.current);
}
