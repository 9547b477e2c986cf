import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * False on the server and until React has taken over what it rendered. What another part of the page may open meanwhile
 * through the address waits for it: there is nothing of it in the server's HTML.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
