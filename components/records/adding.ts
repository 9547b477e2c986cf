import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useHydrated } from "#components/ui/use-hydrated.ts";

/** Whether the dialog for a new record is open: `?new=1`, so that the command palette can link to it. */
export function useAdding(): { isOpen: boolean; open: () => void; close: () => void } {
  const hydrated = useHydrated();
  const [wanted, setWanted] = useQueryState("new", parseAsStringLiteral(["1"]));
  return { isOpen: hydrated && wanted === "1", open: () => void setWanted("1"), close: () => void setWanted(null) };
}
