"use client";

import { Inbox, ShieldAlert } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { DeliveryRow } from "#components/records/delivery-row.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { cn } from "#components/ui/cn.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { DeliveriesSkeleton } from "./deliveries-skeleton.tsx";
import { type DeliveryFilter, type DeliveryPage, type Refusal, useDeliveries } from "./delivery-calls.ts";
import {
  deliveryProviders,
  deliveryResult,
  deliveryStatuses,
  deliveryTitle,
  pastRefusalsWords,
  refusalWords,
} from "./delivery-words.ts";

const DeliverySheet = onDemand("The delivery", () =>
  import("./delivery-sheet.tsx").then((module) => module.DeliverySheet),
);

export type DeliveriesProps = {
  workspaceId: string;
  canReplay: boolean;
  filter?: DeliveryFilter;
  /** Rows a page; the card of a provider shows a few. */
  limit?: number;
  /** What the server rendered. */
  initial?: DeliveryPage;
  /** The address of the whole log; absent when this is the whole log. */
  moreHref?: string;
  /** Says that nothing has come yet, and what to do. */
  empty?: ReactNode;
};

const NO_FILTER: DeliveryFilter = {};

/**
 * What providers delivered, newest first, and in the whole log what was turned away. Goes inside a Card; keeps itself
 * up to date.
 */
export function Deliveries({
  workspaceId,
  canReplay,
  filter = NO_FILTER,
  limit = 50,
  initial,
  moreHref,
  empty,
}: DeliveriesProps) {
  const query = useDeliveries(workspaceId, { filter, limit, initial });
  const [opened, setOpened] = useState<string | null>(null);
  const pages = query.data?.pages ?? [];
  const deliveries = moreHref ? (pages[0]?.deliveries ?? []) : pages.flatMap((page) => page.deliveries);
  // A card shows itself what was turned away since the last delivery; the whole log shows all of it.
  const refusals =
    moreHref || filter.status
      ? []
      : (pages.at(-1)?.refusals ?? []).filter(({ provider }) => !filter.provider || provider === filter.provider);
  const filtered = filter.status !== undefined || (filter.provider !== undefined && !moreHref);

  if (query.isPending) return <DeliveriesSkeleton rows={Math.min(limit, 5)} />;
  return (
    <>
      <Refusals refusals={refusals} named={!filter.provider} />
      {query.data && deliveries.length === 0 ? (
        <EmptyState icon={<Inbox />} className="border-t first:border-t-0">
          {filtered
            ? "No delivery fits these filters."
            : (empty ?? "Nothing delivered yet. What a provider sends is listed here, with its result.")}
        </EmptyState>
      ) : null}
      {deliveries.length > 0 ? (
        <ol aria-label="Deliveries" className="border-t first:border-t-0">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              title={delivery.title ?? deliveryTitle(delivery)}
              notes={[
                delivery.title ? deliveryTitle(delivery) : null,
                filter.provider ? null : deliveryProviders[delivery.provider],
              ]
                .filter(Boolean)
                .join(" · ")}
              test={delivery.sample}
              status={deliveryStatuses[delivery.status]}
              result={deliveryResult(delivery)}
              at={delivery.received_at}
              onOpen={() => setOpened(delivery.id)}
            />
          ))}
        </ol>
      ) : null}
      <LoadProblem
        title={query.data ? "The log could not be refreshed" : "The log could not be loaded"}
        query={query}
        className="border-t first:border-t-0"
      />
      {moreHref && pages[0]?.has_more ? (
        <p className="border-t px-4 py-2">
          <Link href={moreHref} prefetch={false} className="rounded-xs text-primary-text text-sm hover:underline">
            All deliveries
          </Link>
        </p>
      ) : null}
      {moreHref ? null : <ShowOlder query={query} />}
      {opened ? (
        <DeliverySheet workspaceId={workspaceId} id={opened} canReplay={canReplay} onClose={() => setOpened(null)} />
      ) : null}
    </>
  );
}

type RefusalsProps = { refusals: readonly Refusal[]; named: boolean };

/** Requests that are turned away now; past ones on demand, so that they do not hide the deliveries. */
function Refusals({ refusals, named }: RefusalsProps) {
  const rowOf = (refusal: Refusal) => (
    <RefusalRow key={`${refusal.provider} ${refusal.code}`} refusal={refusal} named={named} />
  );
  const past = refusals.filter(({ standing }) => standing === 0);
  return (
    <>
      {refusals.filter(({ standing }) => standing > 0).map(rowOf)}
      {past.length > 0 ? (
        <details className="border-t first:border-t-0">
          <summary className="cursor-default px-4 py-2.5 text-muted-foreground text-sm first:rounded-t-lg hover:bg-hover/60">
            {pastRefusalsWords(past)}
          </summary>
          {past.map(rowOf)}
        </details>
      ) : null}
    </>
  );
}

function RefusalRow({ refusal, named }: { refusal: Refusal; named: boolean }) {
  const past = refusal.standing === 0;
  return (
    <div
      className={cn(
        "flex items-start gap-2.5 border-t px-4 py-2.5 first:rounded-t-lg first:border-t-0",
        past ? "text-muted-foreground" : "bg-warning-soft",
      )}
    >
      <ShieldAlert aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", past ? "" : "text-warning-text")} />
      <p className="min-w-0 flex-1 text-pretty text-sm">
        <span className={past ? "" : "font-medium"}>
          {named ? `${deliveryProviders[refusal.provider]}: ` : ""}
          {refusalWords(refusal)}
        </span>{" "}
        {past ? null : refusal.advice}
      </p>
      <RelativeTime value={refusal.last_at} className="shrink-0 text-sm leading-5" />
    </div>
  );
}
