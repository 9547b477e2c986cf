"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Check, ShieldCheck, X } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { useCommands } from "#components/frame/commands.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { ShowOlder } from "#components/records/show-older.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { type ApprovalPage, type Changes, changesKey, useApprove, useWaiting } from "./calls.ts";
import { WaitingChange } from "./waiting-change.tsx";
import { failureOf, isFinal, secretIn } from "./words.ts";

const RejectDialog = onDemand("“Reject”", () => import("./reject-dialog.tsx").then((module) => module.RejectDialog));
const SecretDialog = onDemand("The signing secret", () =>
  import("./secret-dialog.tsx").then((module) => module.SecretDialog),
);
const DecidedChanges = onDemand("Decided changes", () =>
  import("./decided-changes.tsx").then((module) => module.DecidedChanges),
);

export type ApprovalsProps = { workspaceId: string; initial: ApprovalPage };

/** What waits for a person's word, one change open at a time; and on request what was decided. */
export function Approvals({ workspaceId, initial }: ApprovalsProps) {
  const query = useWaiting(workspaceId, initial);
  const waiting = query.data.pages.flatMap((page) => page.approvals);
  const deciding = useDeciding(workspaceId, waiting);
  const [withDecided, setWithDecided] = useState(false);
  const { opened, wished, asking, secret } = deciding;

  return (
    <>
      <LoadProblem
        card
        title="The list could not be refreshed"
        query={{ error: query.error, isFetching: query.isFetching, refetch: query.refetch }}
        note="What you see may be out of date."
      />
      <Card>
        {waiting.length > 0 ? (
          <ul aria-label="Changes waiting for approval">
            {waiting.map((approval) => (
              <WaitingChange
                key={approval.id}
                workspaceId={workspaceId}
                approval={approval}
                open={approval.id === opened?.id}
                busy={deciding.busy === approval.id}
                onOpen={() => deciding.open(approval.id === opened?.id ? null : approval.id)}
                onApprove={() => deciding.approve(approval)}
                onReject={() => deciding.reject(approval)}
              />
            ))}
          </ul>
        ) : (
          <EmptyState icon={<ShieldCheck />} action={<KeysLink workspaceId={workspaceId} />}>
            Nothing waits for approval. A key with “Writes need approval”, or a connected client that asks first, reads
            at once; what it would change appears here first.
          </EmptyState>
        )}
        <ShowOlder query={query} />
      </Card>
      <div className="flex flex-col items-start gap-3">
        <Button variant="ghost" size="sm" aria-expanded={withDecided} onClick={() => setWithDecided(!withDecided)}>
          {withDecided ? "Hide" : "Show"} decided changes
        </Button>
        {withDecided ? <DecidedChanges workspaceId={workspaceId} /> : null}
      </div>
      {wished ? (
        <RejectDialog
          workspaceId={workspaceId}
          approval={wished}
          onClose={deciding.close}
          onDone={() => deciding.done(wished)}
        />
      ) : null}
      {secret ? <SecretDialog secret={secret} onClose={deciding.forgetSecret} /> : null}
      {asking ? (
        <AlertDialog
          open
          onOpenChange={(next) => (next ? undefined : deciding.close())}
          title={asking.summary}
          description="This cannot be undone."
          confirmLabel="Approve"
          onConfirm={() => deciding.run(asking)}
        />
      ) : null}
    </>
  );
}

/** Which change is open, and the decisions about it by mouse and by key. */
function useDeciding(workspaceId: string, waiting: readonly Approval[]) {
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const [focused, setFocused] = useState<string | null>(null);
  const [wished, setWished] = useState<Approval | null>(null);
  const [asking, setAsking] = useState<Approval | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const approving = useApprove(workspaceId);
  const queries = useQueryClient();
  const opened = waiting.find(({ id }) => id === chosen);
  const first = waiting[0]?.id;

  // The first one is open until the reader chooses. What is open changes only by the reader's own hand after that, so
  // that a key never decides about another change than the one they look at.
  useEffect(() => {
    if (chosen === undefined && first !== undefined) setChosen(first);
  }, [chosen, first]);

  useEffect(() => {
    if (focused === null) return;
    document.getElementById(`change-${focused}`)?.focus();
    setFocused(null);
  }, [focused]);

  const close = () => {
    setWished(null);
    setAsking(null);
  };
  const go = (to: Approval | undefined) => {
    if (!to) return;
    setChosen(to.id);
    setFocused(to.id);
  };
  const step = (by: number) => go(waiting[opened ? waiting.indexOf(opened) + by : 0]);
  /** The one after it is next. */
  const done = (approval: Approval) => {
    close();
    const at = waiting.findIndex(({ id }) => id === approval.id);
    go(waiting[at + 1] ?? waiting[at - 1]);
  };
  const run = async (approval: Approval) => {
    try {
      const { status, result } = await approving.mutateAsync(approval.id);
      if (status === "failed")
        toast.error("It was approved, but could not be done.", { description: failureOf(result) });
      else toast.success("Approved and done.", { description: approval.summary });
      done(approval);
      setSecret(secretIn(result));
    } catch (error) {
      close();
      toast.error("It could not be approved.", { description: problemOf(error).message });
    }
  };
  const approve = (approval: Approval) => {
    if (approving.isPending) return;
    if (isFinal(approval)) setAsking(approval);
    else void run(approval);
  };
  const group = "Approvals";
  /** By key only what the reader can see and may decide. */
  const onOpened = (act: (approval: Approval) => void) => () => {
    const seen = opened && queries.getQueryData<Changes>(changesKey(workspaceId, opened.id));
    if (opened && seen?.may_decide) act(opened);
  };
  useCommands([
    { id: "approval-next", label: "Next change", group, keys: "j", hidden: true, run: () => step(1) },
    { id: "approval-previous", label: "Previous change", group, keys: "k", hidden: true, run: () => step(-1) },
    { id: "approval-approve", label: "Approve the open change", group, icon: Check, keys: "a", run: onOpened(approve) },
    { id: "approval-reject", label: "Reject the open change", group, icon: X, keys: "x", run: onOpened(setWished) },
  ]);
  const busy = approving.isPending ? approving.variables : null;
  const forgetSecret = () => setSecret(null);
  return {
    opened,
    wished,
    asking,
    secret,
    forgetSecret,
    busy,
    open: setChosen,
    approve,
    reject: setWished,
    run,
    done,
    close,
  };
}

function KeysLink({ workspaceId }: { workspaceId: string }) {
  return (
    <Button asChild>
      <Link href={`/${workspaceId}/api-keys`}>API keys</Link>
    </Button>
  );
}
