"use client";

import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { type ApprovalGroup, isDecidedTogether } from "./groups.ts";
import type { useDeciding } from "./use-deciding.ts";
import { WaitingChange } from "./waiting-change.tsx";
import { askerOf } from "./words.ts";

type WaitingGroupProps = {
  workspaceId: string;
  group: ApprovalGroup;
  /** Whether the reader decides at all. */
  decides: boolean;
  deciding: ReturnType<typeof useDeciding>;
};

/** What one key or client asks to change of one record. */
export function WaitingGroup({ workspaceId, group, decides, deciding }: WaitingGroupProps) {
  const { key, about, approvals } = group;
  const [first] = approvals as [Approval, ...Approval[]];
  const titleId = `group-${key.replaceAll(/[^\w-]/g, "-")}`;
  const asker = askerOf(first);
  const named = `${about}, asked by ${asker}`;
  // Only those that are loaded: there may be more.
  const these = `these ${approvals.length}`;
  const isOpen = approvals.some(({ id }) => id === deciding.opened?.id);
  return (
    <Card aria-labelledby={titleId}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-2">
        <h2 id={titleId} className="wrap-anywhere min-w-0 font-medium">
          {about} <span className="font-normal text-muted-foreground text-sm">asked by {asker}</span>
        </h2>
        {decides && isDecidedTogether(group) ? (
          <div className="flex gap-2">
            <Button size="sm" aria-label={`Approve ${these}: ${named}`} onClick={() => deciding.approveAll(approvals)}>
              Approve {these}
              {isOpen ? <GroupKey keys="shift+a" /> : null}
            </Button>
            <Button size="sm" aria-label={`Reject ${these}: ${named}`} onClick={() => deciding.reject(approvals)}>
              Reject {these}…{isOpen ? <GroupKey keys="shift+x" /> : null}
            </Button>
          </div>
        ) : null}
      </div>
      <ul aria-label={`Changes waiting for approval: ${named}`}>
        {approvals.map((approval) => (
          <WaitingChange
            key={approval.id}
            workspaceId={workspaceId}
            approval={approval}
            open={approval.id === deciding.opened?.id}
            busy={deciding.busy === approval.id}
            always={deciding.always === approval.id}
            onAlways={(wanted) => deciding.setAlways(wanted ? approval.id : null)}
            onOpen={() => deciding.open(approval.id === deciding.opened?.id ? null : approval.id)}
            onApprove={() => deciding.approve(approval)}
            onReject={() => deciding.reject([approval])}
          />
        ))}
      </ul>
    </Card>
  );
}

/** The keys of a decision about the group with the open change. */
const GroupKey = ({ keys }: { keys: string }) => (
  <span aria-hidden="true" className="max-md:hidden">
    <Kbd keys={keys} />
  </span>
);
