import { approvalChoices } from "#components/approvals/modes.ts";
import { limitsText } from "#components/limits/limits-fields.tsx";
import { ExactTime } from "#components/records/exact-time.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import type { ApiKey } from "#lib/domain/access/api-keys/contract.ts";

/** How single facts of a key are shown, alike in the table and on the cards. */

export const maskedKey = ({ prefix, last_four }: ApiKey): string => `rpt_${prefix}_…${last_four}`;

/** Only for unusual states: a key that works has no badge. */
export function StatusBadge({ status, replaced_by }: ApiKey) {
  if (status === "revoked") return <Badge tone="danger">Revoked</Badge>;
  if (status === "expired") return <Badge>{replaced_by ? "Rotated" : "Expired"}</Badge>;
  if (status === "expiring") return <Badge tone="warning">{replaced_by ? "Rotated" : "Expires soon"}</Badge>;
  return null;
}

export function LastUsed({ last_used_at, last_used_client }: ApiKey) {
  if (!last_used_at) return <span className="text-muted-foreground">Never</span>;
  return (
    <>
      <RelativeTime value={last_used_at} />
      {last_used_client ? (
        <span className="block truncate text-muted-foreground text-sm">{last_used_client}</span>
      ) : null}
    </>
  );
}

export function Expires({ status, expires_at, revoked_at }: ApiKey) {
  if (revoked_at) return <ExactTime value={revoked_at} className="text-muted-foreground" />;
  if (!expires_at) return <span className="text-muted-foreground">Never</span>;
  return (
    <>
      <ExactTime value={expires_at} className={status === "expiring" ? "text-warning-text" : undefined} />
      <span className="block text-muted-foreground text-sm">
        <RelativeTime value={expires_at} />
      </span>
    </>
  );
}

export function Created({ created_by, created_at }: ApiKey) {
  return (
    <>
      <span className="block truncate" title={created_by}>
        {created_by}
      </span>
      <ExactTime value={created_at} className="block text-muted-foreground text-sm" />
    </>
  );
}

/** Only for keys of which something waits. */
export function NeedsApproval({ approval }: ApiKey) {
  if (approval === "none") return null;
  const label = approvalChoices.find(({ value }) => value === approval)?.label;
  return <span className="block truncate text-muted-foreground text-sm">{label}</span>;
}

/** Only for keys with limits. */
export function KeyLimits(apiKey: ApiKey) {
  const said = limitsText(apiKey);
  if (said === null) return null;
  return (
    <span className="block truncate text-muted-foreground text-sm" title={said}>
      {said}
    </span>
  );
}

export function Addresses({ allowed_cidrs: [first, ...more] }: ApiKey) {
  if (first === undefined) return null;
  return (
    <span className="block truncate text-muted-foreground text-sm" title={[first, ...more].join(", ")}>
      from {first}
      {more.length > 0 ? ` and ${more.length} more` : null}
    </span>
  );
}
