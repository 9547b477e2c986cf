import { type PointerEvent, useEffect, useRef } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { useOnEnd } from "#components/records/pages-of-rows.ts";
import { type Stage, stageLabels, stageTones } from "#components/records/stages.ts";
import { Badge } from "#components/ui/badge.tsx";
import { cn } from "#components/ui/cn.ts";
import { numeral } from "#components/ui/numbers.ts";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import type { Person } from "#lib/domain/crm/people/contract.ts";
import { BoardCard } from "./board-card.tsx";
import type { DraggedCard } from "./pointer-drag.ts";
import type { BoardColumn } from "./use-board.ts";

type BoardColumnProps = {
  column: BoardColumn;
  workspaceId: string;
  dragged: DraggedCard | null;
  onPress: (event: PointerEvent<HTMLElement>, id: string, from: Stage) => void;
  onMove: (person: Person, to: Stage) => void;
};

/** The people of a stage. More are loaded when the end comes into view. */
export function BoardColumnView({ column, workspaceId, dragged: held, onPress, onMove }: BoardColumnProps) {
  const { stage, cards, rows, total, isPending, error, hasNextPage, isFetchNextPageError, isPlaceholderData } = column;
  const isTarget = held !== null && held.over === stage && held.from !== stage;
  const failed = error !== null && !isFetchNextPageError;
  // Cards that have just moved are not in the server's count yet.
  const count = `${numeral(total.count + cards.length - rows.length)}${total.capped ? "+" : ""}`;
  return (
    <section
      data-stage={stage}
      aria-label={isPending || failed ? stageLabels[stage] : `${stageLabels[stage]}, ${count}`}
      className={cn(
        "flex max-h-[max(24rem,calc(100dvh-14rem))] md:max-h-[max(24rem,calc(100dvh-11rem))] w-[82vw] max-w-80 shrink-0 snap-start flex-col rounded-lg border bg-sidebar md:w-auto md:min-w-52 md:flex-1 md:shrink",
        isTarget && "border-primary bg-primary-soft",
      )}
    >
      <h2 className="flex h-10 shrink-0 items-center gap-2 px-3">
        <Badge tone={stageTones[stage]}>{stageLabels[stage]}</Badge>
        {isPending || failed ? null : <span className="text-muted-foreground text-sm tabular-nums">{count}</span>}
      </h2>
      <div
        className={cn(
          "min-h-16 flex-1 overflow-y-auto px-2 pb-2 [scrollbar-width:none]",
          isPlaceholderData && "opacity-60",
        )}
      >
        {failed ? <LoadProblem title="This column could not be loaded" query={column} /> : null}
        {isPending ? <CardSkeletons stage={stage} /> : null}
        {!isPending && !failed && cards.length === 0 ? (
          <p className="px-1 py-3 text-muted-foreground text-sm">No one is {inStage(stage)}.</p>
        ) : null}
        <ul aria-label={`People in ${stageLabels[stage]}`} className="flex flex-col gap-2 empty:hidden">
          {cards.map((person) => (
            <BoardCard
              key={person.id}
              person={person}
              workspaceId={workspaceId}
              isHeld={held?.id === person.id}
              onPress={onPress}
              onMove={onMove}
            />
          ))}
        </ul>
        {isFetchNextPageError ? (
          <LoadProblem
            title="The rest could not be loaded"
            query={{ error, isFetching: column.isFetchingNextPage, refetch: column.fetchNextPage }}
          />
        ) : null}
        {hasNextPage && !isFetchNextPageError ? <ColumnEnd column={column} /> : null}
      </div>
    </section>
  );
}

const inStage = (stage: Stage): string => (stage === "client" ? "a client" : stageLabels[stage].toLowerCase());

/** Asks for the next page when it comes near. */
function ColumnEnd({ column }: { column: BoardColumn }) {
  const end = useRef<HTMLDivElement>(null);
  const onEnd = useOnEnd(column);
  useEffect(() => {
    const watched = end.current;
    if (!watched) return;
    const watcher = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? onEnd() : undefined), {
      root: watched.parentElement,
      rootMargin: "600px 0px",
    });
    watcher.observe(watched);
    return () => watcher.disconnect();
  }, [onEnd]);
  return (
    <div ref={end} className="pt-2">
      <span className="sr-only">More is loading</span>
      <Skeleton className="h-16 w-full" />
    </div>
  );
}

const CardSkeletons = ({ stage }: { stage: Stage }) => (
  <Loading label={`Loading ${stageLabels[stage]}`} className="flex flex-col gap-2">
    {["a", "b", "c"].map((key) => (
      <div key={key} className="flex flex-col gap-2 rounded-md border bg-card p-3">
        <Skeleton className="w-32" />
        <Skeleton className="h-3 w-40" />
      </div>
    ))}
  </Loading>
);
