import { toast } from "#components/ui/toaster.tsx";
import { signInHref } from "./nav.ts";

/** Loaded on the click: the session client is of no use before. */
export async function signOut(): Promise<void> {
  try {
    const session = await import("next-auth/react");
    await session.signOut({ callbackUrl: signInHref });
  } catch {
    toast.error("You are still signed in.", { description: "Check your connection and try again." });
  }
}
