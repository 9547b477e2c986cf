import { toast } from "#components/ui/toaster.tsx";
import { signInHref } from "./nav.ts";

/**
 * Loads the session client on the click, since nothing needs it before. We change the page ourselves, because next-auth
 * knows only APP_URL.
 */
export async function signOut(): Promise<void> {
  try {
    const session = await import("next-auth/react");
    await session.signOut({ redirect: false });
    sessionStorage.clear(); // drafts, and what lists of this tab keep
    window.location.assign(signInHref);
  } catch {
    toast.error("You are still signed in.", { description: "Check your connection and try again." });
  }
}
