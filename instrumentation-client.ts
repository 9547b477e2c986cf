/**
 * Next runs this in the browser before the app: it is the only place where every navigation can be seen as it begins.
 */
import { navigationBegan } from "#components/frame/navigation.ts";

/** Back and forward show what the browser still has, so there is nothing to wait for. */
export function onRouterTransitionStart(url: string, kind: "push" | "replace" | "traverse"): void {
  if (kind !== "traverse") navigationBegan(url);
}
