import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import {
  buildScoringModel,
  draftScoringModel,
  getAccountScore,
  getScoringModel,
  listScoringModels,
  previewScoringModel,
} from "#components/operations/scoring.ts";
import type * as contract from "#lib/domain/knowledge/scoring/contract.ts";
import type { AccountScore, Signal } from "#lib/domain/knowledge/scoring/contract.ts";

export type { Signal };
export type Settings = z.output<typeof contract.getScoringModel.output>;
export type Preview = z.output<typeof contract.previewScoringModel.output>;
export type ModelDraft = z.output<typeof contract.draftScoringModel.output>;
export type Score = AccountScore;

const keyOf = (workspaceId: string) => ["scoring-model", workspaceId];

/** While everyone is being scored, how far that is is asked for this often. */
const RUNNING_MS = 1_500;

/** The model in force; `initial` is what the server rendered. */
export const useModel = (workspaceId: string, initial: Settings) =>
  useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal }) => callOperation(getScoringModel, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.model && state.data.model.finished_at === null ? RUNNING_MS : false),
  });

export const useVersions = (workspaceId: string, version: number | null) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "versions", version],
    queryFn: ({ signal }) => callOperation(listScoringModels, workspaceId, {}, { signal }),
    enabled: version !== null,
  });

/** Who would move with these signals; null sends no request. */
export const usePreview = (workspaceId: string, signals: Signal[] | null) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "preview", signals],
    queryFn: ({ signal }) =>
      callOperation(previewScoringModel, workspaceId, { signals: signals as Signal[] }, { signal }),
    enabled: signals !== null,
    gcTime: 0,
  });

export function useModelChanges(workspaceId: string) {
  const queries = useQueryClient();
  return {
    draft: (): Promise<ModelDraft> => callOperation(draftScoringModel, workspaceId, {}),
    /** Saves, and fetches everything that shows scores again. */
    async save(signals: Signal[]): Promise<number> {
      const { version } = await callOperation(buildScoringModel, workspaceId, { signals, force: true });
      await queries.invalidateQueries({ predicate: ({ queryKey: [, workspace] }) => workspace === workspaceId });
      return version;
    },
  };
}

/** Why one person or company has its score. */
export const useScore = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: ["account", workspaceId, id, "score"],
    queryFn: async ({ signal }): Promise<Score> => {
      const answer = await callOperation(getAccountScore, workspaceId, { focus: id }, { signal });
      if ("candidates" in answer) throw new Error("an id was ambiguous");
      return answer;
    },
  });
