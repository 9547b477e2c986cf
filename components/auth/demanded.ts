import { leavePage } from "#components/ui/leaving.ts";
import type { ErrorCode } from "#lib/core/errors.ts";

const refusals: ReadonlySet<string> = new Set<ErrorCode>(["second_factor_required", "oidc_required"]);

/**
 * Leads a reader who did not sign in as the workspace demands now to the page about that, and back here afterwards. Not while
 * they fill in a form, whose text would be lost: it shows the refusal itself.
 */
export function leadToDemand(workspaceId: string, refusal: string): void {
  const path = `/${workspaceId}/sign-in-demand`;
  if (!refusals.has(refusal) || location.pathname === path) return;
  if (document.querySelector("[role=dialog], [role=alertdialog]") || document.activeElement?.closest("form")) return;
  const here = encodeURIComponent(location.pathname + location.search);
  leavePage(() => location.assign(`${path}?next=${here}`));
}
