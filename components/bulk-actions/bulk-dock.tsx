"use client";

import { useState } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { type BulkList, useBulkActions } from "./calls.ts";
import { isUnderWay } from "./words.ts";

const BulkProgress = onDemand("How far the change is", () =>
  import("./bulk-progress.tsx").then((module) => module.BulkProgress),
);

/** Results stay in sight for so long, unless the reader dismisses them. */
const SHOWN_MS = 600_000;
const KEPT_AT = "rapport-dismissed-bulk-actions";

/** Above a list: what changes many of its records now, and the latest results. Empty most of the time. */
export function BulkDock({ workspaceId, what }: { workspaceId: string; what: BulkList }) {
  const [dismissed, dismiss] = useDismissed();
  const shown = useBulkActions(workspaceId, what).filter(
    (action) =>
      isUnderWay(action) ||
      (!dismissed.has(`${action.id} ${action.state}`) &&
        action.finished_at !== null &&
        Date.now() - Date.parse(action.finished_at) < SHOWN_MS),
  );
  if (shown.length === 0) return null;
  return (
    <BulkProgress
      workspaceId={workspaceId}
      actions={shown}
      onDismiss={(id) => dismiss(`${id} ${shown.find((action) => action.id === id)?.state}`)}
    />
  );
}

/** What the reader has dismissed in this window. */
function useDismissed(): [ReadonlySet<string>, (key: string) => void] {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(() => {
    if (typeof sessionStorage === "undefined") return new Set();
    return new Set(sessionStorage.getItem(KEPT_AT)?.split(",") ?? []);
  });
  const dismiss = (key: string) => {
    const next = new Set([...dismissed, key]);
    sessionStorage.setItem(KEPT_AT, [...next].slice(-50).join(","));
    setDismissed(next);
  };
  return [dismissed, dismiss];
}
