"use client";

import { Plug } from "lucide-react";
import { useState } from "react";
import { AlwaysSets } from "#components/approvals/always-sets.tsx";
import { approvalChoices, changedTo } from "#components/approvals/modes.ts";
import { LimitsDialog } from "#components/limits/limits-dialog.tsx";
import { limitsText } from "#components/limits/limits-fields.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { ConnectedClient } from "#lib/domain/access/oauth/contract.ts";
import {
  type ConnectedClients,
  useChangeConnectedClient,
  useConnectedClients,
  useRevokeConnectedClient,
} from "./clients.ts";
import { accessOf, placeWords } from "./words.ts";

type ClientsCardProps = { workspaceId: string; isAdmin: boolean; initial: ConnectedClients };

/** The MCP clients that members connected by signing in. */
export function ClientsCard({ workspaceId, isAdmin, initial }: ClientsCardProps) {
  const query = useConnectedClients(workspaceId, initial);
  const { clients } = query.data;
  return (
    <Card aria-labelledby="connected-clients">
      <CardHeader
        titleId="connected-clients"
        title="Connected clients"
        description={`Agents and apps that ${isAdmin ? "members" : "you"} connected by signing in. Each acts for the member who approved it; one that is not used for 30 days is disconnected.`}
      />
      <LoadProblem title="The list may be out of date" query={query} className="border-t" />
      {clients.length === 0 ? (
        <EmptyState icon={<Plug />} className="border-t">
          Nothing is connected. Add this server's MCP address to an agent; it then asks you to sign in here.
        </EmptyState>
      ) : (
        <ul>
          {clients.map((client) => (
            <ClientRow key={client.id} workspaceId={workspaceId} client={client} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ClientRow({ workspaceId, client }: { workspaceId: string; client: ConnectedClient }) {
  const revoke = useRevokeConnectedClient(workspaceId);
  const change = useChangeConnectedClient(workspaceId);
  const [limiting, setLimiting] = useState(false);
  const { name, host, approved_by, mine, scopes, connected_at, last_used_at } = client;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t px-4 py-2.5">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="wrap-anywhere font-medium">{name}</span>
          <Badge tone="outline">{accessOf(scopes)}</Badge>
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          Runs {placeWords(host, mine ? "your computer" : "their computer")}. Approved by {mine ? "you" : approved_by}{" "}
          <RelativeTime value={connected_at} />,{" "}
          {last_used_at ? (
            <>
              last used <RelativeTime value={last_used_at} />
            </>
          ) : (
            "not used yet"
          )}
          .
        </p>
        {limitsText(client) ? <p className="wrap-anywhere text-sm">{limitsText(client)}</p> : null}
        {scopes.includes("write") ? <Asks workspaceId={workspaceId} client={client} /> : null}
      </div>
      <Button size="sm" aria-label={`Limits of ${name}`} onClick={() => setLimiting(true)}>
        Limits
      </Button>
      {limiting ? (
        <LimitsDialog
          name={name}
          initial={client}
          save={(limits) => change.mutateAsync({ id: client.id, ...limits })}
          onClose={() => setLimiting(false)}
        />
      ) : null}
      <AlertDialog
        trigger={
          <Button size="sm" aria-label={`Disconnect ${name}`}>
            Disconnect
          </Button>
        }
        title={`Disconnect ${name}`}
        description="Its access ends at once, and what it has waiting for approval is cancelled. What it recorded stays. To use it again, connect it again."
        confirmLabel="Disconnect"
        onConfirm={async () => {
          await revoke.mutateAsync(client.id);
          toast.success(`${name} is disconnected.`);
        }}
      />
    </li>
  );
}

/** What of the client waits until a person approves it. */
function Asks({ workspaceId, client: { id, name, approval } }: { workspaceId: string; client: ConnectedClient }) {
  const change = useChangeConnectedClient(workspaceId);
  const shown = (change.isPending ? change.variables.approval : undefined) ?? approval;
  return (
    <div className="mt-1.5 flex flex-col items-start gap-2">
      <Select
        size="sm"
        className="w-60 max-w-full"
        aria-label={`Approval: ${name}`}
        options={approvalChoices}
        value={shown}
        disabled={change.isPending}
        onValueChange={(wanted) =>
          change.mutate(
            { id, approval: wanted },
            {
              onSuccess: () => toast.success(changedTo(wanted, name)),
              onError: (error) =>
                toast.error("The client could not be changed.", { description: problemOf(error).message }),
            },
          )
        }
      />
      {approval === "human_fields" ? <AlwaysSets workspaceId={workspaceId} askerId={id} name={name} /> : null}
    </div>
  );
}
