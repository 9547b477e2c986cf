"use client";

import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { AlwaysSets } from "#components/approvals/always-sets.tsx";
import { UsageBars } from "#components/connect/usage-bars.tsx";
import { getKeyUsage } from "#components/operations/agent-usage.ts";
import { ExactTime } from "#components/records/exact-time.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { dayAs } from "#components/ui/times.ts";
import type * as contract from "#lib/domain/access/agent-usage/contract.ts";
import type { ApiKey } from "#lib/domain/access/api-keys/contract.ts";
import { maskedKey } from "./key-facts.tsx";

const DAYS = 14;
const EVERY_MS = 10_000;

type Usage = z.output<typeof contract.getKeyUsage.output>;
type UsageSheetProps = { workspaceId: string; apiKey: ApiKey; onClose: () => void };

/** How a key is used: calls by day, and the last hundred. */
export function UsageSheet({ workspaceId, apiKey, onClose }: UsageSheetProps) {
  const { id, name, created_at, expires_at } = apiKey;
  const query = useQuery({
    queryKey: ["key-usage", workspaceId, id],
    queryFn: ({ signal }) => callOperation(getKeyUsage, workspaceId, { id, days: DAYS }, { signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent title={name} description={maskedKey(apiKey)}>
        <SheetBody className="flex flex-col gap-5">
          <dl className="grid grid-cols-2 gap-4 text-sm [&_dt]:text-muted-foreground">
            <div>
              <dt>Created</dt>
              <dd>
                <ExactTime value={created_at} format="minute" />
              </dd>
            </div>
            <div>
              <dt>Expires</dt>
              <dd>{expires_at ? <ExactTime value={expires_at} format="minute" /> : "Never"}</dd>
            </div>
          </dl>
          {apiKey.approval === "human_fields" ? (
            <AlwaysSets workspaceId={workspaceId} askerId={id} name={name} />
          ) : null}
          <LoadProblem title="The calls could not be loaded" query={query} className="rounded-lg border" />
          {query.data ? <Calls usage={query.data} name={name} /> : query.isPending ? <CallsSkeleton /> : null}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}

/** A caller that does not name itself is the key. */
function Calls({ usage: { days, by_day, calls }, name }: { usage: Usage; name: string }) {
  const total = by_day.reduce((sum, count) => sum + count, 0);
  return (
    <>
      <section aria-labelledby="calls-by-day">
        <h3 id="calls-by-day" className="font-medium">
          {numeral(total)} {total === 1 ? "call" : "calls"} in {DAYS} days
        </h3>
        <div aria-hidden="true" className="mt-2 h-16">
          <UsageBars days={days} calls={by_day} />
        </div>
        <table className="sr-only">
          <caption>Calls by day, in UTC</caption>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{dayAs("day", day)}</th>
                <td>{by_day[index]}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p aria-hidden="true" className="mt-1 flex justify-between text-muted-foreground text-xs">
          <span>{dayAs("short", days[0] ?? "")}</span>
          <span>{dayAs("short", days.at(-1) ?? "")} (UTC)</span>
        </p>
      </section>
      <section aria-labelledby="last-calls">
        <h3 id="last-calls" className="font-medium">
          Last calls
        </h3>
        <p className="text-muted-foreground text-sm">
          The last 100 of 7 days, without what was sent or answered. New ones appear within 10 seconds.
        </p>
        {calls.length > 0 ? (
          <ul className="mt-2 divide-y rounded-lg border">
            {withKeys(calls).map(({ key, ...call }) => (
              <li key={key} className="flex items-start gap-3 px-3 py-2 text-sm">
                <Status status={call.status} />
                <div className="min-w-0 flex-1">
                  <p className="wrap-anywhere font-mono">
                    {call.method} {call.path}
                  </p>
                  <p className="wrap-anywhere text-muted-foreground">
                    {call.operation} · {call.client ?? name}
                  </p>
                </div>
                <div className="shrink-0 text-right tabular-nums">
                  <RelativeTime value={call.at} />
                  <p className="text-muted-foreground">{duration(call.ms)}</p>
                </div>
              </li>
            ))}
          </ul>
        ) : (
          <p className="mt-2 rounded-lg border border-dashed px-3 py-4 text-center text-muted-foreground text-sm">
            No call in the last 7 days.
          </p>
        )}
      </section>
    </>
  );
}

/** Calls have no id, and two may be alike; the list only grows at the top, so their places are counted from its end. */
const withKeys = <T extends { at: string }>(calls: readonly T[]) =>
  calls.map((call, index) => ({ ...call, key: `${call.at} ${calls.length - index}` }));

function Status({ status }: { status: number }) {
  return <Badge tone={status >= 500 ? "danger" : status >= 400 ? "warning" : "neutral"}>{status}</Badge>;
}

const duration = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${numeral(Math.round(ms))} ms`);

function CallsSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  );
}
