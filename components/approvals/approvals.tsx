"use client";

import { ShieldCheck } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { type ApprovalPage, useWaiting } from "./calls.ts";
import { groupsOf } from "./groups.ts";
import { useDeciding } from "./use-deciding.ts";
import { WaitingGroup } from "./waiting-group.tsx";
import { isFinal } from "./words.ts";

const RejectDialog = onDemand("“Reject”", () => import("./reject-dialog.tsx").then((module) => module.RejectDialog));
const SecretDialog = onDemand("The signing secret", () =>
  import("./secret-dialog.tsx").then((module) => module.SecretDialog),
);
const DecidedChanges = onDemand("Decided changes", () =>
  import("./decided-changes.tsx").then((module) => module.DecidedChanges),
);

/** `decides`: whether the reader's role decides about any change. */
export type ApprovalsProps = { workspaceId: string; decides: boolean; initial: ApprovalPage };

/** What waits for a person's word, by record and client, one change open at a time; and on request what was decided. */
export function Approvals({ workspaceId, decides, initial }: ApprovalsProps) {
  const query = useWaiting(workspaceId, initial);
  const groups = groupsOf(query.data.pages.flatMap((page) => page.approvals));
  const deciding = useDeciding(workspaceId, groups, decides);
  const [withDecided, setWithDecided] = useState(false);
  const { wished, asking, secret } = deciding;

  return (
    <>
      <LoadProblem
        card
        title="The list could not be refreshed"
        query={{ error: query.error, isFetching: query.isFetching, refetch: query.refetch }}
        note="What you see may be out of date."
      />
      {groups.map((group) => (
        <WaitingGroup key={group.key} workspaceId={workspaceId} group={group} decides={decides} deciding={deciding} />
      ))}
      {groups.length === 0 ? (
        <Card>
          <EmptyState icon={<ShieldCheck />} action={<KeysLink workspaceId={workspaceId} />}>
            Nothing waits for approval. Changes of keys and connected clients that ask first are listed here.
          </EmptyState>
        </Card>
      ) : null}
      <ShowOlder query={query} />
      <div className="flex flex-col items-start gap-3">
        <Button variant="ghost" size="sm" aria-expanded={withDecided} onClick={() => setWithDecided(!withDecided)}>
          {withDecided ? "Hide" : "Show"} decided changes
        </Button>
        {withDecided ? <DecidedChanges workspaceId={workspaceId} /> : null}
      </div>
      {wished ? (
        <RejectDialog
          workspaceId={workspaceId}
          approvals={wished}
          onClose={deciding.close}
          onDone={() => deciding.done(wished)}
        />
      ) : null}
      {secret ? <SecretDialog secret={secret} onClose={deciding.forgetSecret} /> : null}
      {asking ? (
        <AlertDialog
          open
          onOpenChange={(next) => (next ? undefined : deciding.close())}
          title={asking.length === 1 ? (asking[0]?.summary ?? "") : `Approve ${asking.length} changes`}
          description={questionOf(asking)}
          confirmLabel="Approve"
          tone={asking.some(isFinal) ? "danger" : "primary"}
          onConfirm={() => deciding.run(asking)}
        />
      ) : null}
    </>
  );
}

/** What is asked before changes are approved that cannot be undone, or many. */
const questionOf = (approvals: readonly Approval[]): string =>
  approvals.some(isFinal)
    ? "This cannot be undone."
    : "Each is made right away, as requested. If one cannot be made, you are told why.";

function KeysLink({ workspaceId }: { workspaceId: string }) {
  return (
    <Button asChild>
      <Link href={`/${workspaceId}/api-keys`}>API keys</Link>
    </Button>
  );
}
