"use client";

import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { counted, numeral } from "#components/ui/numbers.ts";
import { Meter } from "#components/ui/progress.tsx";
import { parseAsStringLiteral, withDefault } from "#components/ui/query-state.ts";
import { Segments } from "#components/ui/segments.tsx";
import { Select } from "#components/ui/select.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { useQueryState } from "#components/ui/use-query-state.ts";
import { wordsOfContext } from "./agent-words.ts";
import { type AgentText, accountKey, type Calls } from "./calls.ts";
import { ColouredJson } from "./coloured-json.tsx";
import type { Moment } from "./moment.ts";

const intents = [
  { value: "account_review", label: "Review the account" },
  { value: "draft_email", label: "Draft an e-mail" },
  { value: "follow_up", label: "Follow up" },
  { value: "meeting_prep", label: "Prepare a meeting" },
  { value: "call_prep", label: "Prepare a call" },
] as const;
const names = intents.map(({ value }) => value);

const views = [
  { value: "text", label: "Text" },
  { value: "tokens", label: "Tokens" },
  { value: "json", label: "JSON" },
] as const;
type View = (typeof views)[number]["value"];
const viewNames = views.map(({ value }) => value);

type AgentContextProps = { workspaceId: string; id: string; calls: Calls; moment: Moment };

/** The answer an agent gets before it acts: to read, with what each part costs, or as JSON. */
export function AgentContext({ workspaceId, id, calls, moment }: AgentContextProps) {
  const [intent, setIntent] = useQueryState("intent", withDefault(parseAsStringLiteral(names), "account_review"));
  const [view, setView] = useQueryState("show", withDefault(parseAsStringLiteral(viewNames), "text"));
  const answer = useQuery({
    queryKey: [...accountKey(workspaceId, id), "context", intent, moment],
    queryFn: ({ signal }) => calls.context(intent, moment, signal),
    placeholderData: (before) => before,
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label="The agent is about to" className="w-56">
          <Select options={intents} value={intent} onValueChange={(next) => setIntent(next)} />
        </Field>
        {answer.data ? (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Segments label="Show it as" segments={views} value={view} onValue={setView} />
            <CopyButton
              text
              value={view === "json" ? JSON.stringify(answer.data.context, null, 2) : answer.data.text}
              label="Copy answer"
            />
          </div>
        ) : null}
      </div>
      {answer.data ? null : <LoadProblem title="The context could not be built" query={answer} className="px-0" />}
      {answer.isPending ? (
        <Loading label="Building the context">
          <SkeletonText lines={8} />
        </Loading>
      ) : null}
      {answer.data ? <Answer answer={answer.data} view={view} dimmed={answer.isPlaceholderData} /> : null}
    </div>
  );
}

type AnswerProps = { answer: AgentText; view: View; dimmed: boolean };

function Answer({ answer, view, dimmed }: AnswerProps) {
  const { context, sections, tokens } = answer;
  const { meta } = context;
  const words = wordsOfContext(context);
  const withTokens = view === "tokens";
  return (
    <div className={dimmed ? "flex flex-col gap-4 opacity-60" : "flex flex-col gap-4"}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted-foreground text-sm">
        <span className="flex items-center gap-2">
          {withTokens ? (
            <Meter value={meta.token_estimate} max={meta.budget_tokens} label="Budget used" className="w-24" />
          ) : null}
          {numeral(meta.token_estimate)} of {numeral(meta.budget_tokens)} tokens{withTokens ? " as JSON" : ""}
        </span>
        {withTokens ? <span>{counted(tokens, "token")} as text</span> : null}
        {meta.truncated ? (
          <Badge tone="warning">
            Shortened to fit
            {meta.claims_returned < meta.claims_total
              ? `: ${numeral(meta.claims_returned)} of ${counted(meta.claims_total, "fact")}`
              : ""}
          </Badge>
        ) : null}
      </div>
      {withTokens ? (
        <p className="max-w-prose text-pretty text-muted-foreground text-sm">
          A token is about four letters. The bar above shows how much of its limit the answer uses; the bar of a part,
          its share of the text. Names are plain words here; the copy has those that agents get.
        </p>
      ) : null}
      {view === "json" ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section aria-label="The answer" tabIndex={0} className="max-h-128 overflow-auto rounded-lg border bg-card">
          <pre className="wrap-anywhere whitespace-pre-wrap px-4 py-3 font-mono text-sm leading-5">
            <ColouredJson text={JSON.stringify(context, null, 2)} />
          </pre>
        </section>
      ) : (
        <Card className="divide-y">
          {sections.map(({ title, tokens: cost }) => (
            <section key={title} aria-label={title} className="px-4 py-3">
              <header className="flex items-center justify-between gap-3 pb-1">
                <h2 className="font-semibold">{title}</h2>
                {withTokens ? (
                  <span className="flex shrink-0 items-center gap-2 text-muted-foreground text-sm">
                    <Meter value={cost} max={tokens} label={`${title}: share of the tokens`} className="w-16" />
                    <span className="w-24 text-right tabular-nums">
                      {numeral(cost)} · {Math.round((100 * cost) / Math.max(1, tokens))}%
                    </span>
                  </span>
                ) : null}
              </header>
              <p className="wrap-anywhere whitespace-pre-wrap">
                <WithBold text={words[title].join("\n")} />
              </p>
            </section>
          ))}
        </Card>
      )}
    </div>
  );
}

/** The parts between two pairs of stars, bold. */
const WithBold = ({ text }: { text: string }) =>
  text.split(/\*\*(?=\S)(.+?)\*\*/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
    index % 2 === 1 ? <strong key={index}>{part}</strong> : <Fragment key={index}>{part}</Fragment>,
  );
