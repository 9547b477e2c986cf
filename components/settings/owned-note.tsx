"use client";

import { useOwners } from "./members.ts";
import { OwnedLinks } from "./owned-links.tsx";

type OwnedNoteProps = { workspaceId: string; email: string; isMe: boolean };

/** In the question before a member is removed: what they leave for others to take over. For admins. */
export function OwnedNote({ workspaceId, email, isMe }: OwnedNoteProps) {
  const owned = useOwners(workspaceId).data?.owners.find((owner) => owner.email === email);
  if (!owned) return null;
  return (
    <p className="text-sm">
      {isMe ? "You own " : "They own "}
      <OwnedLinks workspaceId={workspaceId} email={email} owned={owned} />. Records keep their owner until you set
      another
      {owned.tasks > 0 ? "; open tasks are then no one's" : ""}.
    </p>
  );
}
