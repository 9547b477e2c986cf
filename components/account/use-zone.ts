import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** The zone to show times in: UTC until the page is the reader's browser's, then undefined, which means theirs. */
export const useZone = (): string | undefined =>
  useSyncExternalStore<string | undefined>(
    never,
    () => undefined,
    () => "UTC",
  );
