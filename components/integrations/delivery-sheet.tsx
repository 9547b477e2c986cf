"use client";

import { RotateCw } from "lucide-react";
import Link from "next/link";
import { Attempts, DeliverySheetFrame } from "#components/records/delivery-sheet.tsx";
import { problemOf } from "#components/records/problem.ts";
import { useRecordName } from "#components/records/record-name.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { SheetFooter } from "#components/ui/sheet.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Delivery, useDelivery, useReplay } from "./delivery-calls.ts";
import { deliveryProviders, deliveryResult, deliveryStatuses, deliveryTitle, readable } from "./delivery-words.ts";

type DeliverySheetProps = { workspaceId: string; id: string; canReplay: boolean; onClose: () => void };

/** One delivery: what came, the result of each attempt, and a button for another attempt. */
export function DeliverySheet({ workspaceId, id, canReplay, onClose }: DeliverySheetProps) {
  const query = useDelivery(workspaceId, id);
  const delivery = query.data?.delivery;
  return (
    <DeliverySheetFrame
      title={delivery ? (delivery.title ?? deliveryTitle(delivery)) : "Delivery"}
      query={query}
      onClose={onClose}
      footer={delivery && canReplay ? <Replay workspaceId={workspaceId} id={id} /> : null}
    >
      {delivery ? <Content workspaceId={workspaceId} delivery={delivery} /> : null}
    </DeliverySheetFrame>
  );
}

/** More contacts than this are only counted. */
const MOST_NAMED = 50;

function Content({ workspaceId, delivery }: { workspaceId: string; delivery: Delivery }) {
  const { label, tone } = deliveryStatuses[delivery.status];
  const summary = { ...delivery, attempts: delivery.attempts.length };
  const unnamed = delivery.contact_ids.length - MOST_NAMED;
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{label}</Badge>
          {delivery.sample ? <Badge tone="outline">Test</Badge> : null}
          <span className="text-muted-foreground text-sm">
            {deliveryTitle(delivery)} · {deliveryProviders[delivery.provider]} ·{" "}
            <RelativeTime value={delivery.received_at} />
          </span>
        </p>
        <p className="text-pretty">{deliveryResult(summary)}</p>
        {delivery.contact_ids.length > 0 ? (
          <ul className="flex flex-wrap gap-x-3 gap-y-1">
            {delivery.contact_ids.slice(0, MOST_NAMED).map((contactId) => (
              <li key={contactId}>
                <Contact workspaceId={workspaceId} id={contactId} />
              </li>
            ))}
            {unnamed > 0 ? <li className="text-muted-foreground text-sm">and {numeral(unnamed)} more</li> : null}
          </ul>
        ) : null}
      </div>
      <Attempts
        attempts={delivery.attempts}
        sentenceOf={({ by, status, message }) => (
          <>
            {attemptWords[by]}: {deliveryStatuses[status].label.toLowerCase()}.
            {message ? <span className="text-muted-foreground"> {message}</span> : null}
          </>
        )}
      />
      <CodeBlock title="Answered" code={JSON.stringify(delivery.answer)} wrap />
      <CodeBlock title="Payload" code={readable(delivery.payload)} copyValue={delivery.payload} wrap />
      <CodeBlock
        title="Headers (without the signature)"
        code={Object.entries(delivery.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join("\n")}
        wrap
      />
    </>
  );
}

const attemptWords = { delivery: "When it came", retry: "Tried again", replay: "Replayed" } as const;

function Contact({ workspaceId, id }: { workspaceId: string; id: string }) {
  const name = useRecordName(workspaceId, id);
  return (
    <Link
      href={`/${workspaceId}/accounts/${id}`}
      prefetch={false}
      className="rounded-xs text-primary-text text-sm hover:underline"
    >
      {name ?? "…"}
    </Link>
  );
}

function Replay({ workspaceId, id }: { workspaceId: string; id: string }) {
  const replay = useReplay(workspaceId);
  const start = () =>
    replay.mutate(id, {
      onSuccess: ({ delivery }) => {
        const result = deliveryResult({ ...delivery, attempts: delivery.attempts.length });
        if (delivery.status === "failed") toast.error("The replay failed", { description: result });
        else toast.success("Replayed", { description: result });
      },
      onError: (error) => toast.error("It could not be replayed", { description: problemOf(error).message }),
    });
  return (
    <SheetFooter className="items-center justify-between">
      <span className="text-muted-foreground text-sm">What is recorded already is not recorded again.</span>
      <Button onClick={start} loading={replay.isPending}>
        <RotateCw aria-hidden="true" /> Replay
      </Button>
    </SheetFooter>
  );
}
