"use client";

import { Mail } from "lucide-react";
import { useState } from "react";
import { ConnectFirst } from "#components/integrations/connect-first.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { AsTeamSwitch } from "./as-team-switch.tsx";
import { type Thread, useMailShare, useShareMailOf, useThread, useThreads } from "./calls.ts";
import { ShareSelect } from "./share-select.tsx";
import { ThreadMessages } from "./thread-messages.tsx";

type ThreadsProps = {
  workspaceId: string;
  id: string;
  isPerson: boolean;
  name: string;
  /** The conversation that is open. */
  opened: string | null;
};

/** The conversations by e-mail with a person, or with a company's people, as far as the reader may see them. */
export function Threads({ workspaceId, id, isPerson, name, opened }: ThreadsProps) {
  const [asTeam, setAsTeam] = useState(false);
  const query = useThreads(workspaceId, id, asTeam);
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? [];
  if (query.isPending)
    return (
      <Loading label="Loading the conversations">
        <SkeletonText lines={6} />
      </Loading>
    );
  if (query.error && !query.data) return <LoadProblem title="The conversations could not be loaded" query={query} />;
  if (threads.length === 0 && !asTeam)
    return (
      <ConnectFirst workspaceId={workspaceId} icon={<Mail />} action="Connect your mailbox">
        Conversations appear here when you or a colleague connects a mailbox. Each of you chooses how much others see.
      </ConnectFirst>
    );
  return (
    <div className="flex flex-col gap-3">
      {asTeam || threads.some(({ mine }) => mine) ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {isPerson ? <Privacy workspaceId={workspaceId} id={id} name={name} /> : <span />}
          <AsTeamSwitch checked={asTeam} onCheckedChange={setAsTeam} />
        </div>
      ) : null}
      {opened && !asTeam && !threads.some((thread) => thread.id === opened) ? (
        <OlderThread workspaceId={workspaceId} id={opened} />
      ) : null}
      {threads.length === 0 ? (
        <p className="py-2 text-muted-foreground">Your team sees none of these conversations.</p>
      ) : null}
      <ul className="flex flex-col divide-y rounded-lg border bg-card empty:hidden">
        {threads.map((thread) => (
          <ThreadRow
            key={`${thread.id} ${asTeam}`}
            workspaceId={workspaceId}
            thread={thread}
            asTeam={asTeam}
            isOpened={thread.id === opened}
          />
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button className="self-start" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      ) : null}
    </div>
  );
}

/** What the others see of the reader's mail with one person, where it differs from the mailbox. */
function Privacy({ workspaceId, id, name }: Pick<ThreadsProps, "workspaceId" | "id" | "name">) {
  const { data } = useMailShare(workspaceId, id);
  const share = useShareMailOf(workspaceId, id);
  if (!data) return null;
  const set = (level: ShareLevel | null) => share.mutate(level, { onError: toastProblem });
  return (
    <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-sm" data-writes>
      {data.share === null ? (
        <>
          Your mail with {name} is shared like the rest of your mailbox.
          <Button size="sm" loading={share.isPending} onClick={() => set("nothing")}>
            Never share it
          </Button>
        </>
      ) : (
        <>
          From your mail with {name}, others can see
          <ShareSelect
            aria-label={`What others can see of your mail with ${name}`}
            value={data.share}
            onChange={set}
            disabled={share.isPending}
            size="sm"
            className="w-36"
          />
          <Button size="sm" loading={share.isPending} onClick={() => set(null)}>
            Same as my mailbox
          </Button>
        </>
      )}
    </p>
  );
}

/** A conversation that is open and not among those that are listed. */
function OlderThread({ workspaceId, id }: { workspaceId: string; id: string }) {
  const query = useThread(workspaceId, id);
  if (query.error) return <LoadProblem title="The conversation could not be loaded" query={query} className="px-0" />;
  if (!query.data?.thread) return null;
  return (
    <ul className="rounded-lg border bg-card">
      <ThreadRow workspaceId={workspaceId} thread={query.data.thread} isOpened />
    </ul>
  );
}

type ThreadRowProps = { workspaceId: string; thread: Thread; isOpened: boolean; asTeam?: boolean };

function ThreadRow({ workspaceId, thread, isOpened, asTeam = false }: ThreadRowProps) {
  const [open, setOpen] = useState(isOpened);
  const { subject, last, last_at: lastAt, messages, waits_for: waitsFor } = thread;
  const panel = `thread-${thread.id}`;
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
        className="flex w-full flex-col gap-0.5 px-4 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="flex w-full items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{subject ?? "Mail"}</span>
          {waitsFor === "us" ? <Badge tone="warning">Needs your answer</Badge> : null}
          <span className="shrink-0 text-muted-foreground text-sm">
            <RelativeTime value={lastAt} />
          </span>
        </span>
        <span className="w-full truncate text-muted-foreground text-sm">
          {last.from.name ?? last.from.address}
          {last.snippet ? `: ${last.snippet}` : null}
          {messages > 1 ? ` · ${messages} messages` : null}
        </span>
      </button>
      <div id={panel}>{open ? <ThreadMessages workspaceId={workspaceId} thread={thread} asTeam={asTeam} /> : null}</div>
    </li>
  );
}
