import { Download } from "lucide-react";
import { workspaceAddress } from "#components/api.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";

/** Lets admins download the workspace's data. */
export function ExportWorkspaceCard({ workspaceId }: { workspaceId: string }) {
  return (
    <Card aria-labelledby="export-workspace">
      <CardHeader
        titleId="export-workspace"
        title="Backup"
        description="Everything the workspace has, people and notes in full, as lines of JSON (.ndjson). Keys and passwords are left out. The command rapport admin import reads it back into an empty workspace. The audit log keeps who exported it."
        actions={
          <Button asChild>
            <a href={workspaceAddress(workspaceId, "/export")} download>
              <Download aria-hidden="true" /> Export workspace
            </a>
          </Button>
        }
      />
    </Card>
  );
}
