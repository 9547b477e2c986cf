"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { type Retention as Kept, useRetention } from "./delivery-calls.ts";

const RetentionDialog = onDemand("“How long deliveries are kept”", () =>
  import("./retention-dialog.tsx").then((module) => module.RetentionDialog),
);

type RetentionProps = { workspaceId: string; canChange: boolean; initial: Kept };

/** How long the log is kept, and for administrators the way to change it. */
export function Retention({ workspaceId, canChange, initial }: RetentionProps) {
  const { data: retention } = useRetention(workspaceId, initial);
  const [opened, setOpened] = useState(false);
  const { days, is_default } = retention;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-2 text-muted-foreground text-sm">
      <p>
        Kept for {days === 1 ? "1 day" : `${days} days`}
        {is_default ? " (the server's default)" : ""}
      </p>
      {canChange ? (
        <Button size="sm" variant="ghost" onClick={() => setOpened(true)}>
          Change…
        </Button>
      ) : null}
      {opened ? (
        <RetentionDialog workspaceId={workspaceId} retention={retention} onClose={() => setOpened(false)} />
      ) : null}
    </div>
  );
}
