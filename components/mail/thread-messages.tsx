"use client";

import { Paperclip } from "lucide-react";
import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { AsTeamSwitch } from "./as-team-switch.tsx";
import { type Message, type Thread, useShareThread, useThread } from "./calls.ts";
import { ShareSelect } from "./share-select.tsx";

type ThreadMessagesProps = {
  workspaceId: string;
  thread: Thread;
  /** Only as the others see it. */
  asTeam: boolean;
};

/** The messages of a conversation, and what the others see of it. */
export function ThreadMessages({ workspaceId, thread, asTeam: isAsTeam }: ThreadMessagesProps) {
  const [asTeam, setAsTeam] = useState(isAsTeam);
  const query = useThread(workspaceId, thread.id, asTeam);
  return (
    <div className="flex flex-col gap-3 border-t bg-muted/40 px-4 py-3">
      {thread.mine && !isAsTeam ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Sharing workspaceId={workspaceId} thread={thread} />
          <AsTeamSwitch checked={asTeam} onCheckedChange={setAsTeam} />
        </div>
      ) : null}
      {query.data?.thread === null ? (
        <p className="text-muted-foreground">Your team sees nothing of this conversation.</p>
      ) : null}
      {query.isPending ? (
        <Loading label="Loading the messages">
          <SkeletonText lines={4} />
        </Loading>
      ) : null}
      <LoadProblem title="The messages could not be loaded" query={query} className="px-0" />
      <ol className="flex flex-col gap-3">
        {query.data?.messages.map((message) => (
          <li key={message.id}>
            <MessageCard message={message} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Sharing({ workspaceId, thread }: Omit<ThreadMessagesProps, "asTeam">) {
  const share = useShareThread(workspaceId, thread.id);
  const set = (level: ShareLevel) => share.mutate(level, { onError: toastProblem });
  return (
    <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-sm" data-writes>
      Others can see
      <ShareSelect
        aria-label="What others can see of this conversation"
        value={thread.shared}
        onChange={set}
        disabled={share.isPending}
        size="sm"
        className="w-36"
      />
    </p>
  );
}

const nameOf = ({ name, address }: Message["from"]): string => name ?? address;

type MessageCardProps = {
  message: Message;
  /** Outside of its conversation. */
  withSubject?: boolean;
};

export function MessageCard({ message, withSubject }: MessageCardProps) {
  const { from, to, sent_at: sentAt, text, subject, attachments, automatic, visible } = message;
  return (
    <article
      aria-label={`${nameOf(from)}: ${subject ?? "mail"}`}
      className="flex flex-col gap-1.5 rounded-md border bg-card px-3 py-2.5"
    >
      <header className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className="wrap-anywhere font-medium" title={from.address}>
          {nameOf(from)}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted-foreground">to {to.map(nameOf).join(", ")}</span>
        {automatic ? <Badge>Automatic</Badge> : null}
        <span className="text-muted-foreground">
          <RelativeTime value={sentAt} />
        </span>
      </header>
      {withSubject && subject ? <p className="wrap-anywhere font-medium">{subject}</p> : null}
      {text ? (
        <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
      ) : (
        <p className="text-muted-foreground text-sm">
          {visible === "everything" ? "Only its subject is kept." : "What it says is not shared."}
        </p>
      )}
      {attachments.length > 0 ? (
        <ul aria-label="Attachments" className="flex flex-wrap gap-x-3 gap-y-1 text-muted-foreground text-sm">
          {attachments.map(({ name, size }) => (
            <li key={`${name} ${size}`} className="flex items-center gap-1">
              <Paperclip aria-hidden="true" className="size-3.5 shrink-0" />
              <span className="wrap-anywhere">{name}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </article>
  );
}
