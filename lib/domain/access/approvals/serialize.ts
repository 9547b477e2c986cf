import { formatTime } from "#lib/text/time.ts";
import type { Approval, DecidedApproval } from "./contract.ts";
import type { ApprovalRow } from "./queries.ts";
import { actorOf, recordNamed, summaryOf } from "./rules.ts";

/** The wire form of a change. `names`: of records, by id. */
export function approvalOfRow(
  row: ApprovalRow,
  input: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): Approval {
  const { type, id } = actorOf(row);
  return {
    id: row.id,
    operation: row.operation,
    record: recordNamed(row.operation, input, names),
    property: row.property,
    summary: summaryOf(row.operation, input, names),
    status: row.status,
    requested_by: { type, id, name: row.askerName },
    client: row.client,
    request_id: row.requestId,
    requested_at: formatTime(row.requestedAt),
    expires_at: formatTime(row.expiresAt),
    decided_at: row.status === "expired" ? formatTime(row.expiresAt) : row.decidedAt && formatTime(row.decidedAt),
    decided_by: row.decidedBy,
    reason: row.reason,
  };
}

export const withResult = (approval: Approval, { result }: Pick<ApprovalRow, "result">): DecidedApproval => ({
  ...approval,
  result: result === null ? null : (JSON.parse(result) as DecidedApproval["result"]),
});
