"use client";

import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { changedTo } from "#components/approvals/modes.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { parseAsBoolean, withDefault } from "#components/ui/query-state.ts";
import { toast } from "#components/ui/toaster.tsx";
import { useQueryState } from "#components/ui/use-query-state.ts";
import type { ApprovalMode } from "#lib/core/plans.ts";
import type { ApiKey } from "#lib/domain/access/api-keys/contract.ts";
import type { Wish } from "./key-menu.tsx";
import { type KeyList, useChangeKey, useKeys } from "./keys.ts";
import { KeysTable } from "./keys-table.tsx";

const RotateDialog = onDemand("“Rotate key”", () =>
  import("./rotate-dialog.tsx").then((module) => module.RotateDialog),
);
const RevokeDialog = onDemand("“Revoke key”", () =>
  import("./revoke-dialog.tsx").then((module) => module.RevokeDialog),
);

const LimitsDialog = onDemand("“Limits”", () =>
  import("#components/limits/limits-dialog.tsx").then((module) => module.LimitsDialog),
);

const UsageSheet = onDemand("The key's usage", () => import("./usage-sheet.tsx").then((module) => module.UsageSheet));

export type ApiKeysProps = { workspaceId: string; canManage: boolean; initial: KeyList };

/** The workspace's keys: the working ones, and on request those that have ended. */
export function ApiKeys({ workspaceId, canManage, initial }: ApiKeysProps) {
  const query = useKeys(workspaceId, initial);
  const [withEnded, setWithEnded] = useQueryState("ended", withDefault(parseAsBoolean, false));
  const [wished, setWished] = useState<{ wish: Wish; apiKey: ApiKey } | null>(null);
  const [opened, setOpened] = useState<ApiKey | null>(null);
  const turn = useTurnApproval(workspaceId);
  const change = useChangeKey(workspaceId);
  const wishFor = (wish: Wish, apiKey: ApiKey) =>
    typeof wish === "object" ? turn(apiKey, wish.approval) : setWished({ wish, apiKey });
  const onWish = canManage ? wishFor : undefined;
  const ended = query.data.keys.filter(({ status }) => status === "revoked" || status === "expired");
  const working = query.data.keys.filter((key) => !ended.includes(key));
  const close = () => setWished(null);

  return (
    <>
      <LoadProblem card title="The list could not be refreshed" query={query} note="What you see may be out of date." />
      {working.length > 0 ? (
        <KeysTable label="API keys" keys={working} onWish={onWish} onOpen={setOpened} />
      ) : (
        <Card>
          <EmptyState icon={<KeyRound />} action={canManage ? <ConnectLink workspaceId={workspaceId} /> : null}>
            An API key lets one agent or script read this workspace and add to it.
            {canManage ? null : " An administrator of the workspace can create one."}
          </EmptyState>
        </Card>
      )}
      {ended.length > 0 ? (
        <div className="flex flex-col items-start gap-3">
          <Button variant="ghost" size="sm" aria-expanded={withEnded} onClick={() => setWithEnded(!withEnded)}>
            {withEnded ? "Hide" : "Show"} {ended.length} revoked or expired
          </Button>
          {withEnded ? (
            <div className="w-full">
              <KeysTable label="Revoked and expired API keys" keys={ended} ended onOpen={setOpened} />
            </div>
          ) : null}
        </div>
      ) : null}
      {opened ? <UsageSheet workspaceId={workspaceId} apiKey={opened} onClose={() => setOpened(null)} /> : null}
      {wished?.wish === "rotate" ? (
        <RotateDialog workspaceId={workspaceId} apiKey={wished.apiKey} onClose={close} />
      ) : null}
      {wished?.wish === "revoke" ? (
        <RevokeDialog workspaceId={workspaceId} apiKey={wished.apiKey} onClose={close} />
      ) : null}
      {wished?.wish === "limit" ? (
        <LimitsDialog
          name={wished.apiKey.name}
          initial={wished.apiKey}
          save={(limits) => change.mutateAsync({ id: wished.apiKey.id, ...limits })}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** Changes what of a key waits for approval. */
function useTurnApproval(workspaceId: string): (apiKey: ApiKey, approval: ApprovalMode) => void {
  const change = useChangeKey(workspaceId);
  return ({ id, name }, approval) =>
    change.mutate(
      { id, approval },
      {
        onSuccess: ({ key }) => toast.success(changedTo(key.approval, name)),
        onError: (error) => toast.error("The key could not be changed.", { description: problemOf(error).message }),
      },
    );
}

function ConnectLink({ workspaceId }: { workspaceId: string }) {
  return (
    <Button asChild>
      <Link href={`/${workspaceId}/connect`}>Connect an agent</Link>
    </Button>
  );
}
