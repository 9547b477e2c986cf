import type { WorkspaceId } from "./ids.ts";
import type { Limits } from "./limits.ts";
import type { ApprovalMode, KeyScope, Plan, Role } from "./plans.ts";
import type { SignInProof } from "./sign-in-demands.ts";

/** The one who acts. `id` is the user, key, job or connection; recorded with every observation and audit entry. */
export type Actor = { type: "user" | "api_key" | "mcp" | "webhook" | "job" | "cli"; id: string };

/**
 * A prepared statement: `name` is unique in the process, `text` has numbered parameters. `plannedOnce`: work that only reads runs
 * it by one plan for all values.
 */
export type Statement = { readonly name: string; readonly text: string; readonly plannedOnce?: boolean };

/**
 * The caller's authority and circumstances, without a database handle: what a transport builds before it calls an
 * operation. `client` is the caller's own label (`x-service-client`).
 */
export type Caller = {
  workspaceId: WorkspaceId;
  plan: Plan;
  scopes: readonly KeyScope[];
  /** The member's role; null for keys, jobs and other callers that are not a signed-in person. */
  role: Role | null;
  /** When the signed-in member last proved who they are; absent for others. */
  provenAt?: Date;
  /** How the signed-in member signed in; absent for others. */
  proof?: SignInProof;
  actor: Actor;
  /** The member whose private content the caller may see; absent: only what everyone in the workspace sees. */
  viewer?: string;
  requestId: string;
  client: string | null;
  /** The address that the request came from; absent where there was none. */
  ip?: string;
  /** What it is kept from beside its scopes; absent: nothing. */
  limits?: Limits;
  /** What of it waits until a person approves it; absent: nothing. */
  approval?: ApprovalMode;
  /** Name of the person who approved what runs now. */
  approvedBy?: string;
  /** Aborts when no one waits for the answer any more, where the transport can tell. */
  over?(): AbortSignal;
};

/** The one who acts, as rows keep it: `user:…`. */
export const nameOfActor = ({ actor }: Pick<Caller, "actor">): string => `${actor.type}:${actor.id}`;
