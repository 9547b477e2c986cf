"use client";

import { LoadProblem } from "#components/records/load-problem.tsx";
import { sourceWords, wordsOf } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { tiers } from "#components/records/tiers.ts";
import { type Score, useScore } from "#components/scoring/calls.ts";
import { signed } from "#components/scoring/signal-row.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { cn } from "#components/ui/cn.ts";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { valueWords } from "./value-words.ts";

type ScoreSheetProps = { workspaceId: string; id: string; name: string; onClose: () => void };

/** Why a record has its ICP score: what each signal gave, what moved it, and what would raise it. */
export function ScoreSheet({ workspaceId, id, name, onClose }: ScoreSheetProps) {
  const query = useScore(workspaceId, id);
  const { data } = query;
  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent title="ICP score" description={`Why ${name} has it.`}>
        <SheetBody className="flex flex-col gap-6">
          {data ? null : <LoadProblem title="The score could not be loaded" query={query} className="px-0" />}
          {query.isPending ? (
            <Loading label="Loading the score" className="flex flex-col gap-6">
              <SkeletonText lines={3} />
              <SkeletonText lines={4} />
            </Loading>
          ) : null}
          {data ? <Explained score={data} /> : null}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}

function Explained({ score }: { score: Score }) {
  if (score.model_version === null)
    return (
      <p className="text-pretty text-muted-foreground">
        A source reported this score. Build a scoring model in Settings › ICP scoring to have scores that say why.
      </p>
    );
  if (score.score === null || score.tier === null)
    return (
      <p className="text-pretty text-muted-foreground">No value that the model uses is known, so there is no score.</p>
    );
  const { label, tone } = tiers[score.tier];
  return (
    <>
      <section aria-label="Score" className="flex flex-col gap-1.5 rounded-lg border bg-card px-4 py-3">
        <p className="flex items-center gap-2.5">
          <span className="font-semibold text-2xl tabular-nums">{score.score}</span>
          <Badge tone={tone}>{label}</Badge>
          <span className="ml-auto text-muted-foreground text-sm">Model version {score.model_version}</span>
        </p>
        <p className="text-pretty">{score.reason}</p>
      </section>
      <Contributions contributions={score.contributions} />
      {score.to_reach.length > 0 ? <ToReach paths={score.to_reach} /> : null}
      <History score={score} />
    </>
  );
}

function Contributions({ contributions }: Pick<Score, "contributions">) {
  const counting = contributions.filter(({ points, disqualifies }) => points !== 0 || disqualifies);
  const rest = contributions.filter(({ points, disqualifies }) => points === 0 && !disqualifies);
  return (
    <section aria-labelledby="score-signals">
      <h3 id="score-signals" className="pb-2 font-semibold">
        What counted
      </h3>
      {counting.length === 0 ? (
        <p className="text-muted-foreground">No signal is met, so it stays in the middle.</p>
      ) : null}
      <ul className="flex flex-col gap-2.5">
        {counting.map(({ key, label, points, found, disqualifies }) => (
          <li key={key} className="flex flex-col gap-1">
            <span className="flex items-baseline gap-2">
              <span className="wrap-anywhere flex-1">{label}</span>
              {disqualifies ? <Badge tone="danger">Rules out</Badge> : null}
              <span className={cn("font-medium tabular-nums", points > 0 ? "text-success-text" : "text-danger-text")}>
                {signed(points)}
              </span>
            </span>
            <Bar points={points} />
            {found === null ? null : <span className="text-muted-foreground text-sm">Found: {foundWords(found)}</span>}
          </li>
        ))}
      </ul>
      {rest.length > 0 ? (
        <details className="pt-3 text-sm">
          <summary className="cursor-pointer rounded-xs text-muted-foreground">
            {rest.length} {rest.length === 1 ? "signal" : "signals"} did not count
          </summary>
          <ul className="flex flex-col gap-1 pt-2">
            {rest.map(({ key, label, met }) => (
              <li key={key} className="flex gap-2">
                <span className="wrap-anywhere flex-1">{label}</span>
                <span className="text-muted-foreground">{met === null ? "not known" : "not met"}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  );
}

/** Points from the middle: to the right for, to the left against. */
function Bar({ points }: { points: number }) {
  const share = Math.min(50, Math.abs(points) * 5);
  return (
    <span aria-hidden="true" className="relative block h-1.5 rounded-full bg-selected">
      <span
        className={cn("absolute inset-y-0 rounded-full", points > 0 ? "bg-success" : "bg-danger")}
        style={points > 0 ? { left: "50%", width: `${share}%` } : { right: "50%", width: `${share}%` }}
      />
    </span>
  );
}

function ToReach({ paths }: { paths: Score["to_reach"] }) {
  return (
    <section aria-labelledby="score-paths">
      <h3 id="score-paths" className="pb-2 font-semibold">
        What would raise it
      </h3>
      <ul className="flex flex-col gap-3">
        {paths.map(({ target, tier, changes, score }) => (
          <li key={target} className="flex flex-col gap-1">
            <span>
              <span className="font-medium">To reach {target}</span>{" "}
              <span className="text-muted-foreground">({tiers[tier].label})</span>
            </span>
            {changes === null ? (
              <span className="text-muted-foreground">No three changes are enough.</span>
            ) : (
              <ul className="list-disc pl-5 text-muted-foreground">
                {changes.map(({ feature, from, to, known }) => (
                  <li key={feature}>
                    {known
                      ? `${wordsOf(feature)}: ${to} instead of ${from}`
                      : `Find out the ${wordsOf(feature).toLowerCase()}: ${to} would do`}
                  </li>
                ))}
                <li>It would be {score} then.</li>
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ score: { history, contributions } }: { score: Score }) {
  const labels = new Map(contributions.map(({ key, label }) => [key, label]));
  return (
    <section aria-labelledby="score-history">
      <h3 id="score-history" className="pb-1 font-semibold">
        History
      </h3>
      {history.length === 0 ? <p className="text-muted-foreground">It is being scored for the first time.</p> : null}
      <ol className="divide-y">
        {history.map(({ at, score, previous, cause, model_version, evidence, moved }) => (
          <li key={`${at} ${score}`} className="flex flex-col gap-0.5 py-2">
            <span className="flex items-baseline gap-2">
              <span className="font-medium tabular-nums">
                {previous === null ? (score ?? "No score") : `${previous} → ${score ?? "no score"}`}
              </span>
              <span className="ml-auto text-muted-foreground text-sm">
                <RelativeTime value={at} />
              </span>
            </span>
            <span className="text-pretty text-muted-foreground text-sm">
              {cause === "model"
                ? `Model version ${model_version}`
                : evidence
                  ? `${wordsOf(evidence.property)}: ${valueWords(evidence.property, evidence.value)} (${sourceWords(evidence.source)})`
                  : "New information"}
              {moved.length > 0
                ? `. ${moved
                    .slice(0, 3)
                    .map(({ key, points }) => `${labels.get(key) ?? key} ${signed(points)}`)
                    .join(", ")}`
                : ""}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const foundWords = (value: NonNullable<Score["contributions"][number]["found"]>): string =>
  Array.isArray(value) ? value.slice(0, 4).join(", ") : String(value).replaceAll("_", " ");
