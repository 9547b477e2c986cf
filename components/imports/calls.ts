import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation, workspaceAddress } from "#components/api.ts";
import {
  cancelImport,
  getImport,
  listImportRows,
  listImports,
  previewImport,
  runImport,
  undoImport,
} from "#components/operations/imports.ts";
import { addressOf, queryOf } from "#lib/core/operation.ts";
import type * as contract from "#lib/domain/workspace/imports/contract.ts";
import { isWorking } from "./words.ts";

export type { Import, ImportKind, ImportRow, Progress, RowOutcome } from "#lib/domain/workspace/imports/contract.ts";
export type ImportPage = z.output<typeof contract.listImports.output>;

type Id = { workspaceId: string; id: string };

/** `LiveUpdates` reads the keys that begin like this again while an import goes on. */
const allOf = (workspaceId: string) => ["imports", workspaceId] as const;
export const importKey = ({ workspaceId, id }: Id) => [...allOf(workspaceId), "one", id] as const;

/** An import that goes on is also asked for, should its announcements not arrive. */
const FALLBACK_MS = 3_000;

/** All imports, newest first; `initial` is what the server rendered. */
export const useImports = (workspaceId: string, initial: ImportPage) =>
  useInfiniteQuery({
    queryKey: [...allOf(workspaceId), "list"],
    queryFn: ({ pageParam, signal }) =>
      callOperation(listImports, workspaceId, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.imports.some(isWorking)) ? FALLBACK_MS : false,
  });

/** One import, kept up to date. */
export const useImport = (workspaceId: string, initial: contract.Import) =>
  useQuery({
    queryKey: importKey({ workspaceId, id: initial.id }),
    queryFn: async ({ signal }) => (await callOperation(getImport, workspaceId, { id: initial.id }, { signal })).import,
    initialData: initial,
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? FALLBACK_MS : false),
  });

/** Rows of the dry run or of the run that began at `since`. */
export const useRows = ({ workspaceId, id }: Id, since: string, outcome: contract.RowOutcome | null) =>
  useInfiniteQuery({
    queryKey: ["import-rows", workspaceId, id, since, outcome],
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        listImportRows,
        workspaceId,
        { id, limit: 50, ...(outcome ? { outcome } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });

/** Where the whole result is as a file. */
export function resultAddress({ workspaceId, id }: Id): string {
  const { address, rest } = addressOf(listImportRows.http.path, { id, format: "csv" });
  return workspaceAddress(workspaceId, `${address}${queryOf(rest)}`);
}

const steps = { check: previewImport, run: runImport, cancel: cancelImport, undo: undoImport };
export type Step = keyof typeof steps;

/** Takes an import a step further. */
export function useStep({ workspaceId, id }: Id) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (step: Step) => (await callOperation(steps[step], workspaceId, { id })).import,
    onSuccess: async (next) => {
      // A read that began before would bring back the old state.
      await queries.cancelQueries({ queryKey: importKey({ workspaceId, id }) });
      queries.setQueryData(importKey({ workspaceId, id }), next);
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: allOf(workspaceId) }),
  });
}
