import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { lastWorkspaceIn } from "#lib/auth/cookies.ts";
import { pageSession } from "#lib/auth/member.ts";
import { isFirstVisit } from "#lib/auth/sign-ups.ts";

/** The start page: the last workspace the user had open, or the sign-in page. */
export default async function RootPage() {
  const session = await pageSession();
  if (!session) redirect((await isFirstVisit()) ? "/sign-up" : "/sign-in");
  const sent = await headers();
  const last = lastWorkspaceIn((name) => sent.get(name));
  const workspace = session.memberships.find(({ workspaceId }) => workspaceId === last) ?? session.memberships[0];
  redirect(workspace ? `/${workspace.workspaceId}/home` : "/new");
}
