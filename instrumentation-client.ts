/** Next runs this in the browser before the app: it is the one place that learns of every navigation as it begins. */
import { navigationBegan } from "#components/frame/navigation.ts";

/** Going back and forth shows what the browser still has, so there is nothing to wait for. */
export function onRouterTransitionStart(url: string, kind: "push" | "replace" | "traverse"): void {
  if (kind !== "traverse") navigationBegan(url);
}
