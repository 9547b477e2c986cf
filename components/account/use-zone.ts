import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** The zone to show times in: UTC until the page is hydrated, then undefined, which means the browser's own. */
export const useZone = (): string | undefined =>
  useSyncExternalStore<string | undefined>(
    never,
    () => undefined,
    () => "UTC",
  );
