import type { Belongings } from "#lib/domain/access/members/contract.ts";
import { OwnedLinks } from "./owned-links.tsx";

type OwnedNoteProps = { workspaceId: string; email: string; isMe: boolean; owned: Belongings };

/** In the question before a member is removed: what they leave for others to take over. */
export function OwnedNote({ workspaceId, email, isMe, owned }: OwnedNoteProps) {
  if (owned.people + owned.companies + owned.tasks + owned.api_keys === 0) return null;
  return (
    <p className="text-sm">
      {isMe ? "You own " : "They own "}
      <OwnedLinks workspaceId={workspaceId} email={email} owned={owned} />. Records keep their owner until someone sets
      another{owned.tasks > 0 ? "; open tasks become unassigned" : ""}.
    </p>
  );
}
