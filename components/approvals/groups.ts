import type { Approval } from "#lib/domain/access/approvals/contract.ts";

/** Changes of one key or client about one record, or about none (`isRecord` false). */
export type ApprovalGroup = { key: string; about: string; isRecord: boolean; approvals: Approval[] };

/** Whether all of a group can be decided together: it is about one record, and has several. */
export const isDecidedTogether = ({ isRecord, approvals }: ApprovalGroup): boolean => isRecord && approvals.length > 1;

/** In the order in which the first change of each comes. */
export function groupsOf(approvals: readonly Approval[]): ApprovalGroup[] {
  const groups = new Map<string, ApprovalGroup>();
  for (const approval of approvals) {
    const { record, requested_by } = approval;
    const key = `${requested_by.id} ${record ? (record.id ?? record.name) : ""}`;
    const about = record?.name ?? "Other changes";
    const group = groups.get(key) ?? { key, about, isRecord: record !== null, approvals: [] };
    group.approvals.push(approval);
    groups.set(key, group);
  }
  return [...groups.values()];
}
