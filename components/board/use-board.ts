import { useMemo } from "react";
import type { ListKind, Query } from "#components/records/list-kind.ts";
import { type Stage, stages } from "#components/records/stages.ts";
import { useRecords } from "#components/records/use-records.ts";
import { useTotal } from "#components/records/use-total.ts";
import type { Person } from "#lib/domain/crm/people/contract.ts";
import { cardsOf, type StageRows } from "./cards.ts";

/** A column of the board: the people of a stage, page by page. */
export type BoardColumn = ReturnType<typeof useStage> & { stage: Stage; cards: readonly Person[] };

function useStage(kind: ListKind<Person>, workspaceId: string, query: Query, stage: Stage, enabled: boolean) {
  const own = useMemo(() => ({ ...query, pipeline_stage: stage }), [query, stage]);
  const records = useRecords(kind, workspaceId, own, null, enabled);
  return { ...records, total: useTotal(kind, workspaceId, own, records.rows.length, records.hasNextPage) };
}

/**
 * The people of a list by stage: a list of its own for each. A card that moves is shown in its new column at once, though that
 * column's list does not have it yet.
 */
export function useBoard(kind: ListKind<Person>, workspaceId: string, query: Query, sort: string) {
  const wanted = (stage: Stage) => isWanted(query.pipeline_stage, stage);
  const lists = [
    useStage(kind, workspaceId, query, "identified", wanted("identified")),
    useStage(kind, workspaceId, query, "aware", wanted("aware")),
    useStage(kind, workspaceId, query, "interested", wanted("interested")),
    useStage(kind, workspaceId, query, "evaluating", wanted("evaluating")),
    useStage(kind, workspaceId, query, "client", wanted("client")),
  ] as const;
  const shown = stages.flatMap((stage, place) => {
    const list = lists[place];
    return list && wanted(stage) ? [{ stage, list }] : [];
  });
  const loaded = shown.map(({ stage, list }): StageRows => ({ stage, rows: list.rows }));
  const cards = cardsOf(loaded, sort);
  const columns = shown.map(({ stage, list }): BoardColumn => ({ ...list, stage, cards: cards.get(stage) ?? [] }));
  return { columns, apply: lists[0].apply };
}

/** Whether the list's own filter leaves a stage in: it names one, several (`a,b`), or those it leaves out (`not:a`). */
function isWanted(filter: Query[string] | undefined, stage: Stage): boolean {
  if (filter === undefined) return true;
  const text = String(filter);
  const isNot = text.startsWith("not:");
  return (
    text
      .slice(isNot ? 4 : 0)
      .split(",")
      .includes(stage) !== isNot
  );
}
