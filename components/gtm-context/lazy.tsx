"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "#components/ui/skeleton.tsx";

const loadEditor = () => import("./editor.tsx");
const loadConflict = () => import("./conflict-dialog.tsx");
const loadProvenance = () => import("./provenance.tsx");

/** What opens on demand. The editor is also rendered on the server, for a page that opens with it. */
export const Editor = dynamic(() => loadEditor().then((module) => module.Editor), {
  loading: () => <Skeleton className="h-20 w-full" />,
});
export const ConflictDialog = dynamic(() => loadConflict().then((module) => module.ConflictDialog), { ssr: false });
export const Provenance = dynamic(() => loadProvenance().then((module) => module.Provenance), { ssr: false });
export const HistorySheet = dynamic(() => import("./history-sheet.tsx").then((module) => module.HistorySheet), {
  ssr: false,
});
export const AgentViewSheet = dynamic(() => import("./agent-view.tsx").then((module) => module.AgentViewSheet), {
  ssr: false,
});
export const CategoryDialog = dynamic(() => import("./category-dialog.tsx").then((module) => module.CategoryDialog), {
  ssr: false,
});

/** What a reader needs who is about to write, fetched while there is a connection. */
export function preloadWriting(): void {
  void loadEditor();
  void loadConflict();
  void loadProvenance();
}
