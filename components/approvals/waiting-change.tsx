"use client";

import { Check, ChevronRight, X } from "lucide-react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { cn } from "#components/ui/cn.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { useChanges } from "./calls.ts";
import { ProposedChanges } from "./proposed-changes.tsx";
import { askerOf, propertyWords } from "./words.ts";

type WaitingChangeProps = {
  workspaceId: string;
  approval: Approval;
  open: boolean;
  busy: boolean;
  /** Whether the key or client may set the property from now on. */
  always: boolean;
  onAlways: (wanted: boolean) => void;
  onOpen: () => void;
  onApprove: () => void;
  onReject: () => void;
};

/** A change that waits: who asks for what, and when it is open what would change. */
export function WaitingChange({ approval, open, onOpen, ...props }: WaitingChangeProps) {
  return (
    <li className="border-t first:border-t-0">
      <h3>
        <button
          type="button"
          id={`change-${approval.id}`}
          aria-expanded={open}
          onClick={onOpen}
          className="flex w-full items-start gap-2.5 px-4 py-3 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
        >
          <ChevronRight
            aria-hidden="true"
            className={cn("mt-0.5 size-4 shrink-0 text-muted-foreground transition-transform", open && "rotate-90")}
          />
          <span className="min-w-0">
            <span className="wrap-anywhere block font-medium">{approval.summary}</span>
            <span className="wrap-anywhere block text-muted-foreground text-sm">
              Asked {approval.client ? `with ${approval.client} ` : null}
              <RelativeTime value={approval.requested_at} />
            </span>
          </span>
        </button>
      </h3>
      {open ? (
        <div className="flex flex-col gap-3 px-4 pt-1 pb-4 sm:pl-10.5">
          <OpenChange approval={approval} {...props} />
        </div>
      ) : null}
    </li>
  );
}

type OpenChangeProps = Omit<WaitingChangeProps, "open" | "onOpen">;

function OpenChange({ workspaceId, approval, busy, always, onAlways, onApprove, onReject }: OpenChangeProps) {
  const changes = useChanges(workspaceId, approval.id);
  const { data } = changes;
  return (
    <>
      <LoadProblem title="What would change could not be loaded" query={changes} />
      {changes.isPending ? <ChangesSkeleton /> : null}
      {data ? <ProposedChanges workspaceId={workspaceId} changes={data} /> : null}
      {data?.may_decide === false ? (
        <p className="text-muted-foreground text-sm">
          {data.required_role === "member"
            ? "A viewer cannot decide this."
            : `Only ${data.required_role === "owner" ? "an owner" : "an administrator"} of the workspace can decide this.`}
        </p>
      ) : null}
      {data?.may_decide && approval.property !== null ? (
        <Checkbox
          label={`Always let ${askerOf(approval)} set ${propertyWords(approval.property)}`}
          hint="On every record, also where a person said the value. You can take it back where the key or client is listed."
          checked={always}
          onCheckedChange={(wanted) => onAlways(wanted === true)}
        />
      ) : null}
      {data?.may_decide ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" loading={busy} onClick={onApprove}>
            <Check aria-hidden="true" /> Approve
            <span aria-hidden="true" className="max-md:hidden">
              <Kbd keys="a" />
            </span>
          </Button>
          <Button disabled={busy} onClick={onReject}>
            <X aria-hidden="true" /> Reject…
            <span aria-hidden="true" className="max-md:hidden">
              <Kbd keys="x" />
            </span>
          </Button>
          <span className="text-muted-foreground text-sm">
            Expires <RelativeTime value={approval.expires_at} />
          </span>
        </div>
      ) : null}
    </>
  );
}

function ChangesSkeleton() {
  return (
    <Loading label="Loading what would change">
      <div className="flex flex-col gap-2 rounded-md border px-3 py-2">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </Loading>
  );
}
