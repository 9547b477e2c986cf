"use client";

import { LoadProblem } from "#components/records/load-problem.tsx";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { type Mailbox, useMailboxAsTeam } from "./calls.ts";
import { MessageCard } from "./thread-messages.tsx";

type TeamViewSheetProps = { workspaceId: string; mailbox: Mailbox; onClose: () => void };

/** The latest messages of a mailbox as the others see them. */
export function TeamViewSheet({ workspaceId, mailbox, onClose }: TeamViewSheetProps) {
  const query = useMailboxAsTeam(workspaceId, mailbox.id);
  return (
    <Sheet open onOpenChange={(next) => (next ? undefined : onClose())}>
      <SheetContent
        title="As your team sees it"
        description={`The latest messages in ${mailbox.address} that your colleagues can see, at most 20.`}
      >
        <SheetBody reads className="flex flex-col gap-3">
          {query.isPending ? (
            <Loading label="Loading the messages">
              <SkeletonText lines={6} />
            </Loading>
          ) : null}
          <LoadProblem title="The messages could not be loaded" query={query} className="px-0" />
          {query.data?.messages.length === 0 ? (
            <p className="text-muted-foreground">Your team sees none of your mail.</p>
          ) : null}
          <ol className="flex flex-col gap-3">
            {query.data?.messages.map((message) => (
              <li key={message.id}>
                <MessageCard message={message} withSubject />
              </li>
            ))}
          </ol>
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}
