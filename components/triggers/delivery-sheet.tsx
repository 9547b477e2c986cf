"use client";

import { RotateCw, SkipForward } from "lucide-react";
import Link from "next/link";
import { Attempts, DeliverySheetFrame } from "#components/records/delivery-sheet.tsx";
import { problemOf } from "#components/records/problem.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { SheetFooter } from "#components/ui/sheet.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Delivery, useDelivery, useReplay, useSkip } from "./calls.ts";
import { deliveryStatuses } from "./words.ts";

type DeliverySheetProps = { workspaceId: string; id: string; canManage: boolean; onClose: () => void };

/** One delivery: what was sent, how each attempt went, and what one can do about it. */
export function DeliverySheet({ workspaceId, id, canManage, onClose }: DeliverySheetProps) {
  const query = useDelivery(workspaceId, id);
  const delivery = query.data?.delivery;
  return (
    <DeliverySheetFrame
      title={delivery?.type ?? "Delivery"}
      query={query}
      onClose={onClose}
      footer={
        delivery && canManage && !delivery.test ? <Actions workspaceId={workspaceId} delivery={delivery} /> : null
      }
    >
      {delivery ? <Content workspaceId={workspaceId} delivery={delivery} /> : null}
    </DeliverySheetFrame>
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
      <Attempts
        attempts={delivery.attempts}
        sentenceOf={(attempt) => (
          <>
            {by[attempt.by]}: {attempt.ok ? `answered ${attempt.status}` : attempt.problem}{" "}
            <span className="text-muted-foreground">({numeral(attempt.ms)} ms)</span>
          </>
        )}
        detail={({ response, response_cut }) =>
          response ? (
            <details>
              <summary className="cursor-default text-muted-foreground">
                Response{response_cut ? ", its first 4 KiB" : ""}
              </summary>
              <CodeBlock code={response} wrap className="mt-1.5" />
            </details>
          ) : null
        }
      />
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
            skip.mutate(id, { onSuccess: () => toast.success("Skipped. The next ones are sent."), onError: failed })
          }
        >
          <SkipForward aria-hidden="true" /> Skip
        </Button>
      ) : null}
      <Button
        variant="primary"
        loading={replay.isPending}
        onClick={() => replay.mutate(id, { onSuccess: () => toast.success("Sent again."), onError: failed })}
      >
        <RotateCw aria-hidden="true" /> {status === "pending" ? "Try now" : "Replay"}
      </Button>
    </SheetFooter>
  );
}
