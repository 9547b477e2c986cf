"use client";

import { Paperclip } from "lucide-react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { type Message, type Thread, useShareThread, useThread } from "./calls.ts";
import { ShareSelect } from "./share-select.tsx";

type ThreadMessagesProps = { workspaceId: string; thread: Thread };

/** The messages of a conversation, and what the others see of it. */
export function ThreadMessages({ workspaceId, thread }: ThreadMessagesProps) {
  const query = useThread(workspaceId, thread.id);
  return (
    <div className="flex flex-col gap-3 border-t bg-muted/40 px-4 py-3">
      {thread.mine ? <Sharing workspaceId={workspaceId} thread={thread} /> : null}
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

function Sharing({ workspaceId, thread }: ThreadMessagesProps) {
  const share = useShareThread(workspaceId, thread.id);
  const set = (level: ShareLevel) => share.mutate(level, { onError: (error) => toast.error(problemOf(error).message) });
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

function MessageCard({ message }: { message: Message }) {
  const { from, to, sent_at: sentAt, text, subject, attachments, automatic, visible } = message;
  return (
    <article
      aria-label={`${nameOf(from)}: ${subject ?? "mail"}`}
      className="flex flex-col gap-1.5 rounded-md border bg-card px-3 py-2.5"
    >
      <header className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className="font-medium" title={from.address}>
          {nameOf(from)}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted-foreground">to {to.map(nameOf).join(", ")}</span>
        {automatic ? <Badge>Automatic</Badge> : null}
        <span className="text-muted-foreground">
          <RelativeTime value={sentAt} />
        </span>
      </header>
      {text ? (
        <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
      ) : (
        <p className="text-muted-foreground text-sm">
          {visible === "everything" ? "Only its subject is kept." : "What it says is not shared with you."}
        </p>
      )}
      {attachments.length > 0 ? (
        <ul aria-label="Attachments" className="flex flex-wrap gap-x-3 gap-y-1 text-muted-foreground text-sm">
          {attachments.map(({ name, size }) => (
            <li key={`${name} ${size}`} className="flex items-center gap-1">
              <Paperclip aria-hidden="true" className="size-3.5" />
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </article>
  );
}
