import { signInHref } from "./nav.ts";

/** Loaded on the click: the session client is of no use before. */
export async function signOut(): Promise<void> {
  const session = await import("next-auth/react");
  await session.signOut({ callbackUrl: signInHref });
}
