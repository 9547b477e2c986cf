import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * False on the server and until React has hydrated its HTML. Parts that can be opened through the address wait for it,
 * because the server's HTML does not contain them.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
