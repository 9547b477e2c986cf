import { parseAsStringLiteral } from "#components/ui/query-state.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { useQueryState } from "#components/ui/use-query-state.ts";

/** Whether the dialog for a new record is open: `?new=1`, so that the command palette can link to it. */
export function useAdding(): { isOpen: boolean; open: () => void; close: () => void } {
  const hydrated = useHydrated();
  const [wanted, setWanted] = useQueryState("new", parseAsStringLiteral(["1"]));
  return { isOpen: hydrated && wanted === "1", open: () => setWanted("1"), close: () => setWanted(null) };
}
