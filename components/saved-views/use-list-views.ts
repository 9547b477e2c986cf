import { useState } from "react";
import type { Place } from "#components/records/list-kind.ts";
import type { SetPlace } from "#components/records/use-place.ts";
import type { ParserMap } from "#components/ui/query-state.ts";
import type { SavedView, ViewSubject } from "#lib/domain/crm/saved-views/contract.ts";
import { placeOfText, textOfPlace } from "./place-text.ts";
import { useViews } from "./use-views.ts";

export type ListViews = ReturnType<typeof useListViews>;

type Means = {
  workspaceId: string;
  list: ViewSubject;
  address: ParserMap;
  place: Place;
  setPlace: SetPlace;
  initial: readonly SavedView[];
};

/** The views of a list, compared with what it shows now. The active one is in the address, as is the list's state. */
export function useListViews({ workspaceId, list, address, place, setPlace, initial }: Means) {
  const { views, save, change, changeNow, remove } = useViews(workspaceId, list, initial);
  const [dialog, setDialog] = useState<"save" | "rename" | null>(null);
  const active = views.find(({ id }) => id === place.view);
  const here = textOfPlace(address, place);
  const saved = active ? textOfPlace(address, placeOfText(address, active.place)) : "";
  // Without a view, how the columns are arranged is kept in the browser.
  const compared = active ? here : textOfPlace(address, { ...place, cols: null, widths: null });
  const mark = (view: SavedView) => setPlace({ view: view.id }, "replace");
  return {
    views,
    active,
    here,
    /** True when the list shows something else than the active view, or than the plain list when no view is active. */
    changed: compared !== saved,
    save,
    change,
    changeNow,
    mark,
    open: (view: SavedView) => setPlace({ ...placeOfText(address, view.place), view: view.id }),
    openAll: () => setPlace(placeOfText(address, "")),
    update: (view: SavedView) => void changeNow(view, { place: here }, `${view.name} shows this now.`),
    async drop(view: SavedView) {
      if (await remove(view, mark)) setPlace({ view: null }, "replace");
    },
    dialog,
    setDialog,
  };
}
