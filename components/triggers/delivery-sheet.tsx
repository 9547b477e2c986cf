"use client";

import { RotateCw, SkipForward } from "lucide-react";
import Link from "next/link";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Sheet, SheetBody, SheetContent, SheetFooter } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Delivery, useDelivery, useReplay, useSkip } from "./calls.ts";
import { deliveryStatuses } from "./words.ts";

type DeliverySheetProps = { workspaceId: string; id: string; canManage: boolean; onClose: () => void };

/** One delivery: what was sent, how each attempt went, and what one can do about it. */
export function DeliverySheet({ workspaceId, id, canManage, onClose }: DeliverySheetProps) {
  const query = useDelivery(workspaceId, id);
  const delivery = query.data?.delivery;
  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent title={delivery?.type ?? "Delivery"} className="w-[min(44rem,calc(100vw-1.5rem))]">
        <SheetBody className="flex flex-col gap-5">
          {query.isPending ? (
            <Loading label="Loading the delivery">
              <SkeletonText lines={10} />
            </Loading>
          ) : null}
          <LoadProblem title="The delivery could not be loaded" query={query} className="px-0" />
          {delivery ? <Content workspaceId={workspaceId} delivery={delivery} /> : null}
        </SheetBody>
        {delivery && canManage && !delivery.test ? <Actions workspaceId={workspaceId} delivery={delivery} /> : null}
      </SheetContent>
    </Sheet>
  );
}

const by = { delivery: "First attempt", retry: "Tried again", replay: "Replayed", test: "Test" } as const;

function Content({ workspaceId, delivery }: { workspaceId: string; delivery: Delivery }) {
  const { label, tone } = deliveryStatuses[delivery.status];
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-sm">
        <Badge tone={tone}>{label}</Badge>
        <RelativeTime value={delivery.created_at} />
        {delivery.next_attempt_at && delivery.attempts.length > 0 ? (
          <span>
            next attempt <RelativeTime value={delivery.next_attempt_at} />
          </span>
        ) : null}
        {delivery.entity_id && delivery.entity_id !== workspaceId ? (
          <Link
            href={`/${workspaceId}/accounts/${delivery.entity_id}`}
            prefetch={false}
            className="rounded-xs text-primary-text underline underline-offset-4"
          >
            Open the record
          </Link>
        ) : null}
      </p>
      <section aria-labelledby="delivery-attempts" className="flex flex-col gap-2">
        <h3 id="delivery-attempts" className="font-medium">
          Attempts
        </h3>
        <ol className="divide-y rounded-md border text-sm">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.at} className="flex flex-col gap-1.5 px-3 py-2">
              <div className="flex items-start justify-between gap-3">
                <span className="wrap-anywhere min-w-0">
                  {by[attempt.by]}: {attempt.ok ? `answered ${attempt.status}` : attempt.problem}{" "}
                  <span className="text-muted-foreground">({attempt.ms.toLocaleString("en-US")} ms)</span>
                </span>
                <RelativeTime value={attempt.at} className="shrink-0 text-muted-foreground" />
              </div>
              {attempt.response ? (
                <details>
                  <summary className="cursor-default text-muted-foreground">
                    Response{attempt.response_cut ? ", its first 4 KiB" : ""}
                  </summary>
                  <CodeBlock code={attempt.response} wrap className="mt-1.5" />
                </details>
              ) : null}
            </li>
          ))}
          {delivery.attempts.length === 0 ? <li className="px-3 py-2 text-muted-foreground">None yet.</li> : null}
        </ol>
      </section>
      <CodeBlock
        title={`POST ${delivery.request.url}`}
        code={Object.entries(delivery.request.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join("\n")}
        wrap
      />
      <CodeBlock title="Body" code={laidOut(delivery.request.body)} copyValue={delivery.request.body} wrap />
    </>
  );
}

/** Bodies are JSON of our own. */
const laidOut = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);

function Actions({ workspaceId, delivery: { id, status } }: { workspaceId: string; delivery: Delivery }) {
  const replay = useReplay(workspaceId);
  const skip = useSkip(workspaceId);
  const failed = (error: unknown) => toast.error("That did not work.", { description: problemOf(error).message });
  return (
    <SheetFooter>
      {status === "pending" ? (
        <Button
          loading={skip.isPending}
          onClick={() =>
            skip.mutate(id, { onSuccess: () => toast.success("Skipped; those behind it go on."), onError: failed })
          }
        >
          <SkipForward aria-hidden="true" /> Skip
        </Button>
      ) : null}
      <Button
        variant="primary"
        loading={replay.isPending}
        onClick={() => replay.mutate(id, { onSuccess: () => toast.success("It is sent again."), onError: failed })}
      >
        <RotateCw aria-hidden="true" /> {status === "pending" ? "Try now" : "Replay"}
      </Button>
    </SheetFooter>
  );
}
