import { useSearchParams } from "next/navigation";

export type Address = Readonly<{
  /** Opens the editor of a section; `section` is the same, for links from elsewhere. */
  edit: string | null;
  section: string | null;
  history: string | null;
  view: string | null;
}>;

export type SetAddress = (change: Partial<Address>, options?: { history: "push" | "replace" }) => void;

/**
 * What is open on the tab, read from the address. Four plain words do not need nuqs, which is as large as the tab
 * itself.
 */
export function useAddress(): [Address, SetAddress] {
  const given = useSearchParams();
  const address: Address = {
    edit: given.get("edit"),
    section: given.get("section"),
    history: given.get("history"),
    view: given.get("view"),
  };
  return [address, setAddress];
}

/** Next follows the browser's own history: the page stays, and `useSearchParams` returns the change. */
function setAddress(change: Partial<Address>, { history }: { history: "push" | "replace" } = { history: "replace" }) {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (history === "push") window.history.pushState(null, "", url);
  else window.history.replaceState(null, "", url);
}
