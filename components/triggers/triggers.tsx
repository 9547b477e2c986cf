"use client";

import { Plus, Zap } from "lucide-react";
import Link from "next/link";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { parseAsStringLiteral } from "#components/ui/query-state.ts";
import { useQueryState } from "#components/ui/use-query-state.ts";
import { eventLabel } from "#lib/domain/integrations/triggers/words.ts";
import { type TriggerList, type TriggerSummary, useTriggers } from "./calls.ts";
import { Health } from "./health.tsx";
import { filterWords, stateOf } from "./words.ts";

const NewTrigger = onDemand("“New trigger”", () => import("./new-trigger.tsx").then((module) => module.NewTrigger));

/** Whether the form of a new trigger is open. It lives in the address, so that other places can link to it. */
const useNew = () => useQueryState("new", parseAsStringLiteral(["1"]));

export function NewTriggerButton() {
  const [, setNew] = useNew();
  return (
    <Button variant="primary" onClick={() => setNew("1")}>
      <Plus aria-hidden="true" /> New trigger
    </Button>
  );
}

type TriggersProps = { workspaceId: string; canManage: boolean; initial: TriggerList; readAt: number; example: string };

/** The workspace's triggers, and how their deliveries go. `example`: what an agent would send to make one. */
export function Triggers({ workspaceId, canManage, initial, readAt, example }: TriggersProps) {
  const query = useTriggers(workspaceId, initial);
  const [wanted, setNew] = useNew();
  const { triggers } = query.data;
  return (
    <>
      <LoadProblem card title="The list could not be refreshed" query={query} note="What you see may be out of date." />
      <Card>
        {triggers.length === 0 ? (
          <EmptyState icon={<Zap />} action={canManage ? <NewTriggerButton /> : null}>
            A trigger tells one of your systems what happens here: someone replied, changed stage or booked a meeting.
            {canManage
              ? " Create one here, or let an agent do it:"
              : " An administrator of the workspace can create one."}
          </EmptyState>
        ) : (
          <ul aria-label="Triggers" className="divide-y">
            {triggers.map((trigger) => (
              <TriggerRow key={trigger.id} workspaceId={workspaceId} trigger={trigger} now={readAt} />
            ))}
          </ul>
        )}
        {triggers.length === 0 && canManage ? (
          <div className="border-t p-4">
            <CodeBlock title="What an agent sends" code={example} wrap />
          </div>
        ) : null}
      </Card>
      {wanted === "1" && canManage ? <NewTrigger workspaceId={workspaceId} onClose={() => setNew(null)} /> : null}
    </>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

function TriggerRow({ workspaceId, trigger, now }: { workspaceId: string; trigger: TriggerSummary; now: number }) {
  const { label, tone } = stateOf(trigger);
  const filters = filterWords(trigger.filters);
  return (
    <li className="relative flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 hover:bg-hover/60">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            href={`/${workspaceId}/triggers/${trigger.id}`}
            prefetch={false}
            className="min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            {trigger.name ?? hostOf(trigger.url)}
          </Link>
          <Badge tone={tone} dot>
            {label}
          </Badge>
          {trigger.waiting > 0 ? <Badge tone="outline">{numeral(trigger.waiting)} waiting</Badge> : null}
        </div>
        <p className="truncate text-muted-foreground text-sm" title={trigger.url}>
          {trigger.url}
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {trigger.events.map(eventLabel).join(", ")}
          {filters.length > 0 ? `, when ${filters.join("; ")}` : ""}
        </p>
        {trigger.message ? <p className="text-pretty text-danger-text text-sm">{trigger.message}</p> : null}
      </div>
      <Health health={trigger.health} now={now} />
    </li>
  );
}
