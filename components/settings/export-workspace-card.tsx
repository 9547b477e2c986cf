"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { callUser, workspaceAddress } from "#components/api.ts";
import { confirmIdentity } from "#components/operations/second-factor.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { toast } from "#components/ui/toaster.tsx";

/** Lets admins download the workspace's data. */
export function ExportWorkspaceCard({ workspaceId }: { workspaceId: string }) {
  const [busy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    try {
      // Asks first where the download would be refused, which a download cannot do.
      await callUser(confirmIdentity, {});
      location.assign(workspaceAddress(workspaceId, "/export"));
    } catch (error) {
      toast.error(failureOf(error));
    }
    setBusy(false);
  }

  return (
    <Card aria-labelledby="export-workspace">
      <CardHeader
        titleId="export-workspace"
        title="Backup"
        description="Everything the workspace has, people and notes in full, as lines of JSON (.ndjson). Keys and passwords are left out. The command rapport admin import reads it back into an empty workspace. The audit log keeps who exported it."
        actions={
          <Button loading={busy} onClick={() => void download()}>
            <Download aria-hidden="true" /> Export workspace
          </Button>
        }
      />
    </Card>
  );
}
