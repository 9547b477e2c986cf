import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { listViews } from "#components/operations/saved-views.ts";
import type { SavedView } from "#lib/domain/crm/saved-views/contract.ts";

/** A view as the sidebar and the palette need it. */
export type PinnedView = Pick<SavedView, "id" | "list" | "name" | "place">;

export const pinnedKey = (workspaceId: string) => ["views", workspaceId, "pinned"] as const;

/** Others pin shared views too. */
const FRESH_MS = 60_000;

/** The views in the sidebar; `initial` is what the server rendered. */
export const usePinnedViews = (workspaceId: string, initial?: readonly PinnedView[]): readonly PinnedView[] =>
  useQuery<readonly PinnedView[]>({
    queryKey: pinnedKey(workspaceId),
    queryFn: async ({ signal }) => (await callOperation(listViews, workspaceId, { pinned: true }, { signal })).views,
    staleTime: FRESH_MS,
    ...(initial === undefined ? {} : { initialData: initial }),
  }).data ?? none;

const none: readonly PinnedView[] = [];

/** Where a list shows a view. */
export function viewHref(workspaceId: string, { id, list, place }: PinnedView): string {
  const parameters = new URLSearchParams(place);
  parameters.set("view", id);
  return `/${workspaceId}/${list}?${parameters}`;
}
