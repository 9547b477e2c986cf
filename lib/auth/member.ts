import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import { unmetDemand } from "#lib/core/sign-in-demands.ts";
import { callerFor, type Membership, readSession, type Session } from "./sessions.ts";

/** The reader's session, read once for all components of a page; null when they are signed out. */
export const pageSession = cache(async (): Promise<Session | null> => {
  const sent = await headers();
  return readSession((name) => sent.get(name));
});

/** A member who views a page of one of their workspaces. */
export type PageMember = {
  session: Session;
  caller: Caller & { role: Role };
  workspace: Membership;
  workspaces: readonly Membership[];
};

/**
 * For server components under `/[workspace]`: the reader, and their authority for services. Sends readers who are
 * signed out to the sign-in page and back, and those who did not sign in as the workspace demands to the page about that; another
 * workspace looks like one that does not exist.
 */
export const requireMember = cache(async (workspaceId: string): Promise<PageMember> => {
  const { session, workspace, workspaces, met } = await requireMembership(workspaceId);
  if (!met) redirect(await wayToDemand(workspace));
  const caller = callerFor(session, workspaceId, await pageRequestId());
  if (!caller?.role) notFound();
  return { session, caller: { ...caller, role: caller.role }, workspace, workspaces };
});

const demandPath = ({ workspaceId }: Membership): string => `/${workspaceId}/sign-in-demand`;

/** There, and back here afterwards. */
const wayToDemand = async (workspace: Membership): Promise<string> =>
  `${demandPath(workspace)}?next=${encodeURIComponent(await pathHere())}`;

/** For the frame: leads there before anything of a page is sent. */
export async function leadToDemand(workspace: Membership): Promise<void> {
  const [path] = (await pathHere()).split("?");
  if (path !== demandPath(workspace)) redirect(await wayToDemand(workspace));
}

/**
 * The reader and their workspace, also when they did not sign in as it demands (`met` is false, `unmet` what is missing): for the frame, and the page that leads
 * them to it. Neither shows anything of the workspace then.
 */
export const requireMembership = cache(async (workspaceId: string) => {
  const session = await requireSession();
  const { memberships: workspaces } = session;
  const workspace = workspaces.find((membership) => membership.workspaceId === workspaceId.toLowerCase());
  if (!workspace) notFound();
  const unmet = unmetDemand(session, workspace);
  return { session, workspace, workspaces, unmet, met: unmet === null };
});

/** The reader's session; sends readers who are signed out to the sign-in page and back. */
export async function requireSession(): Promise<Session> {
  const session = await pageSession();
  if (session) return session;
  const here = await pathHere();
  redirect(here === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`);
}

const pathHere = async (): Promise<string> => (await headers()).get("x-pathname") ?? "/";

const pageRequestId = async (): Promise<string> => (await headers()).get("x-request-id") ?? newId();

/** The reader as operations of users see them. */
export const visitorOf = <S extends Session | null>(session: S) => ({
  session,
  ip: "unknown",
  userAgent: null,
  requestId: newId(),
  client: null,
  origin: "",
});

/** As `visitorOf`, with the reader's address, by which attempts are counted. */
export const visitorHere = async <S extends Session | null>(session: S) => ({
  ...visitorOf(session),
  ip: (await headers()).get("x-forwarded-for") ?? "unknown",
});
