"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Meter } from "#components/ui/progress.tsx";
import { Select } from "#components/ui/select.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { accountKey, type Calls, type Context } from "./calls.ts";
import type { Moment } from "./moment.ts";

const intents = [
  { value: "account_review", label: "Review the account" },
  { value: "draft_email", label: "Draft an e-mail" },
  { value: "follow_up", label: "Follow up" },
  { value: "meeting_prep", label: "Prepare a meeting" },
  { value: "call_prep", label: "Prepare a call" },
] as const;
const names = intents.map(({ value }) => value);

type AgentContextProps = { workspaceId: string; id: string; calls: Calls; moment: Moment };

/** The exact answer an agent gets before it acts, with what it costs. */
export function AgentContext({ workspaceId, id, calls, moment }: AgentContextProps) {
  const [intent, setIntent] = useQueryState("intent", parseAsStringLiteral(names).withDefault("account_review"));
  const answer = useQuery({
    queryKey: [...accountKey(workspaceId, id), "context", intent, moment],
    queryFn: ({ signal }) => calls.context(intent, moment, signal),
    placeholderData: (before) => before,
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label="The agent is about to" className="w-56">
          <Select options={intents} value={intent} onValueChange={(next) => void setIntent(next)} />
        </Field>
        {answer.data ? <CopyButton text value={JSON.stringify(answer.data, null, 2)} label="Copy answer" /> : null}
      </div>
      {answer.data ? null : <LoadProblem title="The context could not be built" query={answer} className="px-0" />}
      {answer.isPending ? (
        <Loading label="Building the context">
          <SkeletonText lines={8} />
        </Loading>
      ) : null}
      {answer.data ? <Answer context={answer.data} dimmed={answer.isPlaceholderData} /> : null}
    </div>
  );
}

function Answer({ context, dimmed }: { context: Context; dimmed: boolean }) {
  const { meta } = context;
  return (
    <div className={dimmed ? "flex flex-col gap-4 opacity-60" : "flex flex-col gap-4"}>
      <Card className="flex flex-col gap-3 px-4 py-3">
        <p className="text-pretty">{context.summary}</p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted-foreground text-sm">
          <span className="flex items-center gap-2">
            <Meter value={meta.token_estimate} max={meta.budget_tokens} label="Budget used" className="w-24" />
            {meta.token_estimate.toLocaleString("en")} of {meta.budget_tokens.toLocaleString("en")} tokens
          </span>
          <span>
            {meta.claims_returned} of {meta.claims_total} facts
          </span>
          <span>{counted(meta.timeline_events, "event")}</span>
          <span>{counted(context.documents.length, "note")}</span>
          {meta.truncated ? <Badge tone="warning">Shortened to fit</Badge> : null}
        </div>
      </Card>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section aria-label="The answer" tabIndex={0} className="max-h-128 overflow-auto rounded-lg border bg-muted">
        <pre className="wrap-anywhere whitespace-pre-wrap px-4 py-3 font-mono text-sm leading-5">
          <code>{JSON.stringify(context, null, 2)}</code>
        </pre>
      </section>
    </div>
  );
}

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
