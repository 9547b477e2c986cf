import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { toastProblem } from "#components/records/toast-problem.ts";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import type { SavedView, ViewSubject } from "#lib/domain/crm/saved-views/contract.ts";
import { type ViewFields, viewCallsOf } from "./calls.ts";
import { pinnedKey } from "./pinned.ts";

/** How often views are fetched again: others may have shared or changed one. */
const freshMs = 60_000;

/** The saved views of a list and the actions on them. */
export function useViews(workspaceId: string, list: ViewSubject, initial: readonly SavedView[]) {
  const client = useQueryClient();
  const calls = useMemo(() => viewCallsOf(workspaceId, list), [workspaceId, list]);
  const queryKey = ["views", workspaceId, list];
  const { data: views } = useQuery({
    queryKey,
    queryFn: ({ signal }) => calls.list(signal),
    initialData: () => [...initial],
    staleTime: freshMs,
  });
  const put = (id: string, view: SavedView | null) => {
    void client.invalidateQueries({ queryKey: pinnedKey(workspaceId) });
    client.setQueryData<SavedView[]>(queryKey, (before = []) =>
      [...before.filter((each) => each.id !== id), ...(view ? [view] : [])].sort((a, b) =>
        a.name.localeCompare(b.name, "en"),
      ),
    );
  };

  async function save(fields: ViewFields): Promise<SavedView> {
    const view = await calls.save(fields);
    put(view.id, view);
    return view;
  }

  async function change(view: SavedView, fields: Partial<ViewFields>): Promise<SavedView> {
    const changed = await calls.change(view.id, fields);
    put(view.id, changed);
    return changed;
  }

  /** As `change`, for actions without a dialog. */
  const changeNow = (view: SavedView, fields: Partial<ViewFields>, done: string) =>
    change(view, fields).then(() => toast.success(done), tell);

  /** `restored` gets the new view when the reader undoes the deletion. */
  async function remove(view: SavedView, restored: (view: SavedView) => void): Promise<boolean> {
    try {
      await calls.remove(view.id);
    } catch (error) {
      tell(error);
      return false;
    }
    put(view.id, null);
    const { name, place, shared, pinned } = view;
    toastWithUndo(`The view ${name} is deleted.`, () => save({ name, place, shared, pinned }).then(restored, tell));
    return true;
  }

  return { views, save, change, changeNow, remove };
}

function tell(error: unknown): void {
  toastProblem(error);
}
