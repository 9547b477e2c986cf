import { toast } from "#components/ui/toaster.tsx";
import { signInHref } from "./nav.ts";

/** Loaded on the click: the session client is of no use before. The page leaves by itself: next-auth knows only APP_URL. */
export async function signOut(): Promise<void> {
  try {
    const session = await import("next-auth/react");
    await session.signOut({ redirect: false });
    window.location.assign(signInHref);
  } catch {
    toast.error("You are still signed in.", { description: "Check your connection and try again." });
  }
}
