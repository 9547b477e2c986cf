import { useSyncExternalStore } from "react";
import { readerHasPhone } from "#components/ui/reader.ts";

const query = "(max-width: 927.98px)";

/**
 * Whether a list has no room for a table: the breakpoint `list` of `app/globals.css`. On the server true for a phone, else null: it renders both layouts and lets CSS
 * choose. A phone that is held sideways can be wider; it changes its layout when React has hydrated the page.
 */
export const useNarrow = (): boolean | null =>
  useSyncExternalStore<boolean | null>(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => window.matchMedia(query).matches,
    () => (readerHasPhone() ? true : null),
  );
