"use client";

import { Inbox } from "lucide-react";
import { useState } from "react";
import { DeliveryRow } from "#components/records/delivery-row.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { parseAsStringLiteral } from "#components/ui/query-state.ts";
import { Select } from "#components/ui/select.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { useQueryState } from "#components/ui/use-query-state.ts";
import { type DeliveryPage, type Trigger, useDeliveries } from "./calls.ts";
import { deliveryStatuses, resultOf } from "./words.ts";

const DeliverySheet = onDemand("The delivery", () =>
  import("./delivery-sheet.tsx").then((module) => module.DeliverySheet),
);
const ReplayDialog = onDemand("“Replay”", () => import("./replay-dialog.tsx").then((module) => module.ReplayDialog));

const statuses = ["pending", "delivered", "failed", "skipped"] as const;
const ANY = "any";

type DeliveryLogProps = { workspaceId: string; trigger: Trigger; canManage: boolean; initial: DeliveryPage };

/** What was sent, newest first. Keeps itself up to date. */
export function DeliveryLog({ workspaceId, trigger, canManage, initial }: DeliveryLogProps) {
  const [status, setStatus] = useQueryState("status", parseAsStringLiteral(statuses));
  const query = useDeliveries(workspaceId, trigger.id, status, status === null ? initial : undefined);
  const [opened, setOpened] = useState<string | null>(null);
  const [replaying, setReplaying] = useState(false);
  const deliveries = (query.data?.pages ?? []).flatMap((page) => page.deliveries);
  return (
    <Card aria-label="Deliveries">
      <CardHeader
        title="Deliveries"
        description="Kept for 30 days."
        actions={
          <>
            <Select
              aria-label="Status"
              size="sm"
              className="w-36"
              value={status ?? ANY}
              onValueChange={(next) => setStatus(statuses.find((each) => each === next) ?? null)}
              options={[
                { value: ANY, label: "Every status" },
                ...statuses.map((value) => ({ value, label: deliveryStatuses[value].label })),
              ]}
            />
            {canManage ? (
              <Button size="sm" onClick={() => setReplaying(true)}>
                Replay…
              </Button>
            ) : null}
          </>
        }
      />
      {query.isPending ? (
        <Loading label="Loading deliveries" className="border-t px-4 py-3">
          <SkeletonText lines={6} />
        </Loading>
      ) : null}
      {query.data && deliveries.length === 0 ? (
        <EmptyState icon={<Inbox />} className="border-t">
          {status
            ? "No delivery has this status."
            : "Nothing was sent yet. Send a test to see one here. What came with the sample data is not sent; what you do with sample people is."}
        </EmptyState>
      ) : null}
      {deliveries.length > 0 ? (
        <ol aria-label="Deliveries" className="border-t">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              title={delivery.type}
              test={delivery.test}
              status={deliveryStatuses[delivery.status]}
              result={resultOf(delivery)}
              at={delivery.created_at}
              onOpen={() => setOpened(delivery.id)}
            />
          ))}
        </ol>
      ) : null}
      <LoadProblem title="The log could not be refreshed" query={query} className="border-t" />
      <ShowOlder query={query} />
      {opened ? (
        <DeliverySheet workspaceId={workspaceId} id={opened} canManage={canManage} onClose={() => setOpened(null)} />
      ) : null}
      {replaying ? (
        <ReplayDialog workspaceId={workspaceId} triggerId={trigger.id} onClose={() => setReplaying(false)} />
      ) : null}
    </Card>
  );
}
