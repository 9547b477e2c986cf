import { useMemo } from "react";
import { useMessages } from "#components/mail/calls.ts";
import { MAIL_SOURCE } from "#lib/domain/knowledge/messages/words.ts";
import type { Event } from "./calls.ts";

/** Anyone may report an e-mail, with any id. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The message that an event of a mailbox names. */
function messageIdOf({ source, value }: Event): string | null {
  if (source !== MAIL_SOURCE || typeof value !== "object" || value === null || !("metadata" in value)) return null;
  const { metadata } = value;
  if (typeof metadata !== "object" || metadata === null || !("message_id" in metadata)) return null;
  const { message_id: id } = metadata;
  return typeof id === "string" && UUID.test(id) ? id : null;
}

/** Finds the e-mail that an event is. A timeline says only that there was one; what it is about comes to who may see it. */
export function useMailOf(workspaceId: string, events: readonly Event[]) {
  const ids = useMemo(() => [...new Set(events.flatMap((event) => messageIdOf(event) ?? []))], [events]);
  const { data } = useMessages(workspaceId, ids);
  return (event: Event) => data?.get(messageIdOf(event) ?? "");
}
