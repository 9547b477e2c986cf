"use client";

import { LoadProblem } from "#components/records/load-problem.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { type Owners, useOwners } from "./members.ts";
import { OwnedLinks } from "./owned-links.tsx";

type HandOverCardProps = { workspaceId: string; initial: Owners };

/** What those who left or cannot sign in still own. Nothing is shown where there is none. */
export function HandOverCard({ workspaceId, initial }: HandOverCardProps) {
  const query = useOwners(workspaceId, initial);
  const owners = query.data.owners.filter(({ standing }) => standing !== "member");
  if (owners.length === 0) return null;
  return (
    <Card aria-labelledby="hand-over">
      <CardHeader
        titleId="hand-over"
        title="To hand over"
        description="What people who left or cannot sign in still own. In a list, select all and set another owner."
      />
      <LoadProblem title="The list may be out of date" query={query} className="border-t" />
      <ul>
        {owners.map((owner) => (
          <li key={owner.email} className="flex min-h-14 items-center gap-3 border-t px-4 py-2">
            <Avatar name={owner.name ?? owner.email} size="lg" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="wrap-anywhere">{owner.name ?? owner.email}</span>
                <Badge tone="warning">{owner.standing === "left" ? "Left" : "Cannot sign in"}</Badge>
              </p>
              <p className="wrap-anywhere text-muted-foreground text-sm">
                <OwnedLinks workspaceId={workspaceId} email={owner.email} owned={owner} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
