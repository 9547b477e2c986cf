"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { methodWords, sourceWords, wordsOf } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { type DisputeValue, SettleDispute } from "#components/records/settle-dispute.tsx";
import { StillTrue } from "#components/records/still-true.tsx";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { type Account, accountKey, type Calls, type Value } from "./calls.ts";
import { Confidence } from "./confidence.tsx";
import type { Moment } from "./moment.ts";
import { ConfidenceBar, FreshnessBadge } from "./trust.tsx";
import { employersOf, valueWords } from "./value-words.ts";

type FactSheetProps = {
  workspaceId: string;
  account: Account;
  calls: Calls;
  property: string;
  moment: Moment;
  onConfirm: (property: string) => Promise<void>;
  /** Absent when the page shows the past. */
  onSettle?: ((value: DisputeValue) => Promise<void>) | undefined;
  onClose: () => void;
};

/** Why a fact is believed: what supports it, what disagrees, and every value it has had. */
export function FactSheet({
  workspaceId,
  account,
  calls,
  property,
  moment,
  onConfirm,
  onSettle,
  onClose,
}: FactSheetProps) {
  const key = [...accountKey(workspaceId, account.entity_id), "fact", property];
  const history = useInfiniteQuery({
    queryKey: [...key, "history"],
    queryFn: ({ pageParam, signal }) => calls.history(property, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
  const verdict = useQuery({
    queryKey: [...key, "verify"],
    queryFn: ({ signal }) => calls.verify(property, signal),
    enabled: moment === null,
  });
  const claim = account.claims[property];
  const all = history.data?.pages.flatMap((page) => page.values);
  const causes = new Set(all?.map(({ caused_by }) => caused_by));
  const ids = new Set(all?.map(({ observation_id }) => observation_id));
  // What took a value back is not listed beside it.
  const values = all?.filter(({ caused_by }) => caused_by === undefined || !ids.has(caused_by));

  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent title={wordsOf(property)} description="Why we believe this.">
        <SheetBody className="flex flex-col gap-5">
          {claim ? (
            <section aria-label="Present value" className="flex flex-col gap-2 rounded-lg border bg-card px-4 py-3">
              <p className="wrap-anywhere whitespace-pre-wrap font-medium text-lg">
                <LocalTimes>{valueWords(property, claim.value, employersOf(account))}</LocalTimes>
              </p>
              <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
                <ConfidenceBar value={claim.confidence} />
                <FreshnessBadge value={claim.freshness} />
                <span className="text-muted-foreground">
                  {methodWords[claim.epistemic_class]} · {sourceWords(claim.source)}
                </span>
              </div>
              {verdict.data ? (
                <p className="text-pretty text-muted-foreground">
                  <LocalTimes>{verdict.data.note}</LocalTimes>
                </p>
              ) : null}
              {onSettle ? (
                <SettleDispute
                  value={claim.value}
                  rivals={(claim.conflicts ?? []).map((conflict) => conflict.value)}
                  wordsOf={(value) => valueWords(property, value, employersOf(account))}
                  onSettle={onSettle}
                />
              ) : null}
              {moment === null ? (
                <StillTrue property={property} onConfirm={() => onConfirm(property)} className="-ml-2" />
              ) : null}
            </section>
          ) : (
            <p className="text-muted-foreground">It has no value {moment ? "at that time" : "now"}.</p>
          )}
          {moment === null ? (
            <Confidence workspaceId={workspaceId} id={account.entity_id} calls={calls} property={property} />
          ) : null}
          <section aria-label="Evidence">
            <h3 className="pb-1 font-semibold">Every value it has had</h3>
            {values ? null : <LoadProblem title="The evidence could not be loaded" query={history} className="px-0" />}
            {history.isPending ? (
              <Loading label="Loading the evidence" className="flex flex-col gap-6 py-3">
                <SkeletonText lines={2} />
                <SkeletonText lines={2} />
              </Loading>
            ) : null}
            <ol className="divide-y">
              {values?.map((value) => (
                <EvidenceRow
                  key={value.observation_id}
                  property={property}
                  value={value}
                  account={account}
                  isTakenBack={causes.has(value.observation_id)}
                />
              ))}
            </ol>
            {history.hasNextPage ? (
              <Button onClick={() => void history.fetchNextPage()} loading={history.isFetchingNextPage}>
                Older values
              </Button>
            ) : null}
          </section>
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}

const standings: Readonly<Record<Value["standing"], { label: string; tone: NonNullable<BadgeProps["tone"]> }>> = {
  current: { label: "Supports it", tone: "success" },
  conflicting: { label: "Disagrees", tone: "warning" },
  past: { label: "Past", tone: "neutral" },
};

type EvidenceRowProps = { property: string; value: Value; account: Account; isTakenBack: boolean };

function EvidenceRow({ property, value, account, isTakenBack }: EvidenceRowProps) {
  const { label, tone } = standings[value.standing];
  const late = Date.parse(value.recorded_at) - Date.parse(value.observed_at) > 3_600_000;
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere whitespace-pre-wrap">
          <LocalTimes>{value.name ?? valueWords(property, value.value, employersOf(account))}</LocalTimes>
        </p>
        <p className="mt-0.5 text-muted-foreground text-sm">
          {sourceWords(value.source)} · {methodWords[value.epistemic_class]} ·{" "}
          <RelativeTime value={value.observed_at} />
          {late ? (
            <>
              , added <RelativeTime value={value.recorded_at} />
            </>
          ) : null}
        </p>
      </div>
      <Badge tone={tone}>{isTakenBack ? "Taken back" : label}</Badge>
      <CopyButton value={value.observation_id} label="Copy observation id" size="sm" className="-my-1" />
    </li>
  );
}
