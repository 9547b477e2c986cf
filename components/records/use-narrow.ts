import { useSyncExternalStore } from "react";

const query = "(max-width: 767.98px)";

/** Whether the screen is narrower than 768 px; null on the server, which renders both layouts and lets CSS choose. */
export const useNarrow = (): boolean | null =>
  useSyncExternalStore<boolean | null>(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => window.matchMedia(query).matches,
    () => null,
  );
