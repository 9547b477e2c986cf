import type { BadgeProps } from "#components/ui/badge.tsx";
import type { Approval, ApprovalStatus } from "#lib/domain/access/approvals/contract.ts";

/** Who asked, in words. */
export const askerOf = ({ requested_by: { type, name } }: Pick<Approval, "requested_by">): string =>
  name ?? (type === "mcp" ? "An agent" : "An API key");

export const statusLooks: Readonly<Record<ApprovalStatus, { label: string; tone: BadgeProps["tone"] }>> = {
  pending: { label: "Waiting", tone: "accent" },
  approved: { label: "Approved", tone: "success" },
  rejected: { label: "Rejected", tone: "neutral" },
  expired: { label: "Expired", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
  cancelled: { label: "Cancelled", tone: "neutral" },
};

/** `job_title` as it is written in a sentence: job title. A fact of the GTM profile has no name. */
export const propertyWords = (property: string): string =>
  property.startsWith("note.") ? "this entry of the GTM profile" : property.replaceAll(/[_.]+/g, " ").trim();

/** How the approval of several changes ended. `failures`: why some could not be done. */
export function resultOfMany(count: number, failures: readonly string[]): { message: string; description: string } {
  const message =
    failures.length === 0
      ? `${count} changes approved and done.`
      : `${failures.length} of ${count} changes could not be done.`;
  return { message, description: [...new Set(failures)].join(" ") };
}

/** The message of an error that a change ended with. */
export function failureOf(result: unknown): string {
  const message = typeof result === "object" && result !== null ? (result as { message?: unknown }).message : null;
  return typeof message === "string" ? message : "It could not be done.";
}

/** What cannot be undone is asked for once more. */
export const isFinal = ({ operation }: Pick<Approval, "operation">): boolean => operation === "erasePerson";

/** The signing secret in a result, which is shown to who approved and never again; null when it has none. */
export function secretIn(result: unknown): string | null {
  const secret = typeof result === "object" && result !== null ? (result as { secret?: unknown }).secret : null;
  return typeof secret === "string" ? secret : null;
}
