import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { getStageRules, previewStageRules, resetStageRules, saveStageRules } from "#components/operations/stages.ts";
import type * as contract from "#lib/domain/crm/stages/contract.ts";
import type { StageSettings, StageTable } from "#lib/domain/crm/stages/contract.ts";

export type { StageSettings, StageTable };
export type Preview = z.output<typeof contract.previewStageRules.output>;

const keyOf = (workspaceId: string) => ["stage-rules", workspaceId];

/** The rules in force; `initial` is what the server rendered. */
export const useStageRules = (workspaceId: string, initial: StageSettings) =>
  useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal }) => callOperation(getStageRules, workspaceId, {}, { signal }),
    initialData: initial,
  });

/** Who the rules would move; null sends no request. */
export const usePreview = (workspaceId: string, table: StageTable | null) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "preview", table],
    queryFn: ({ signal }) => callOperation(previewStageRules, workspaceId, table as StageTable, { signal }),
    enabled: table !== null,
    // Each preview is fetched again: people do things meanwhile.
    gcTime: 0,
  });

/**
 * Saving stopped before everyone was moved; the new rules are in force, and `moved` people have been moved by them.
 */
export class UnfinishedMove extends Error {
  readonly moved: number;

  constructor(moved: number, cause: unknown) {
    super("not everyone was moved", { cause });
    this.name = "UnfinishedMove";
    this.moved = moved;
  }
}

/** The two ways to change the rules. Everything that either changes is fetched again. */
export function useRuleChanges(workspaceId: string) {
  const queries = useQueryClient();

  function settle(settings: StageSettings): void {
    queries.setQueryData(keyOf(workspaceId), settings);
    void queries.invalidateQueries({
      predicate: ({ queryKey: [area, workspace] }) => workspace === workspaceId && area !== "stage-rules",
    });
  }

  return {
    /**
     * Saves, and moves people until none is left. Returns how many moved; throws `UnfinishedMove` when it stopped
     * halfway.
     */
    async save(table: StageTable, movePeople: boolean, onMoved: (moved: number) => void): Promise<number> {
      let total = 0;
      for (let round = 0; ; round += 1) {
        try {
          const input = { ...table, move_people: movePeople };
          const { moved, remaining, ...settings } = await callOperation(saveStageRules, workspaceId, input);
          total += moved;
          settle(settings);
          onMoved(total);
          if (remaining === 0 || moved === 0) return total;
        } catch (error) {
          if (round === 0) throw error;
          throw new UnfinishedMove(total, error);
        }
      }
    },
    async reset(): Promise<void> {
      settle(await callOperation(resetStageRules, workspaceId, {}));
    },
  };
}
