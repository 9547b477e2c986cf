"use client";

import dynamic from "next/dynamic";
import { untilLoaded } from "#components/ui/connection.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { whileIdle } from "#components/ui/while-idle.ts";

const loadEditor = () => import("./editor.tsx");
const loadConflict = () => import("./conflict-dialog.tsx");
const loadProvenance = () => import("./provenance.tsx");

whileIdle(loadEditor);

/** Parts that load on demand. The editor is also rendered on the server, for a page that opens with it. */
export const Editor = dynamic(() => untilLoaded("The editor", loadEditor).then((module) => module.Editor), {
  loading: () => <Skeleton className="h-20 w-full" />,
});
export const ConflictDialog = onDemand("The comparison", () => loadConflict().then((module) => module.ConflictDialog));
export const Provenance = onDemand("Where it comes from", () => loadProvenance().then((module) => module.Provenance));
export const HistorySheet = onDemand("The history", () =>
  import("./history-sheet.tsx").then((module) => module.HistorySheet),
);
export const AgentViewSheet = onDemand("What agents see", () =>
  import("./agent-view.tsx").then((module) => module.AgentViewSheet),
);
export const CategoryDialog = onDemand("“Add a category”", () =>
  import("./category-dialog.tsx").then((module) => module.CategoryDialog),
);

/** What the editor needs, fetched early while there is a connection. A failure is shown only when it is needed. */
export function preloadWriting(): void {
  for (const load of [loadEditor, loadConflict, loadProvenance]) load().catch(() => undefined);
}
