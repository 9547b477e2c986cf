import { parseAsString } from "#components/ui/query-state.ts";
import { useQueryStates } from "#components/ui/use-query-state.ts";

const gtmAddress = {
  /** Opens the editor of a section; `section` is the same, for links from elsewhere. */
  edit: parseAsString,
  section: parseAsString,
  history: parseAsString,
  view: parseAsString,
};

/** What is open on the tab, read from the address. */
export const useAddress = () => useQueryStates(gtmAddress);
