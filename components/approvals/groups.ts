import type { Approval } from "#lib/domain/access/approvals/contract.ts";

/** Changes of one key or client about one record. */
export type ApprovalGroup = { key: string; about: string; approvals: Approval[] };

/** In the order in which the first change of each comes. */
export function groupsOf(approvals: readonly Approval[]): ApprovalGroup[] {
  const groups = new Map<string, ApprovalGroup>();
  for (const approval of approvals) {
    const { record, requested_by } = approval;
    const key = `${requested_by.id} ${record ? (record.id ?? record.name) : ""}`;
    const group = groups.get(key) ?? { key, about: record?.name ?? "Other changes", approvals: [] };
    group.approvals.push(approval);
    groups.set(key, group);
  }
  return [...groups.values()];
}
