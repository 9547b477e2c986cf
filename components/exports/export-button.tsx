"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import type { ExportRequest } from "./calls.ts";
import { startExport } from "./start-export.ts";

type ExportButtonProps = { workspaceId: string; wanted: ExportRequest; disabled?: boolean; className?: string };

/** Exports a list as it is filtered. */
export function ExportButton({ workspaceId, wanted, disabled = false, className }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);
  const run = () => {
    setBusy(true);
    void startExport(workspaceId, wanted).finally(() => setBusy(false));
  };
  return (
    <Button onClick={run} loading={busy} disabled={disabled} {...(className ? { className } : {})}>
      <Download aria-hidden="true" /> Export
    </Button>
  );
}
