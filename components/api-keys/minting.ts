import { parseAsStringLiteral } from "#components/ui/query-state.ts";
import { useQueryState } from "#components/ui/use-query-state.ts";

/** Whether the dialog for a new key is open. It lives in the address (`?new=1`), so the command palette can link to it. */
export function useMinting(): { isOpen: boolean; open: () => void; close: () => void } {
  const [wanted, setWanted] = useQueryState("new", parseAsStringLiteral(["1"]));
  return { isOpen: wanted === "1", open: () => setWanted("1"), close: () => setWanted(null) };
}
