"use client";

import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Sheet, SheetBody, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import type { MailOutcome } from "#lib/domain/integrations/mailboxes/words.ts";
import { type Mailbox, type MailReport, useMailReport } from "./calls.ts";

type MailReportSheetProps = { workspaceId: string; mailbox: Mailbox; onClose: () => void };

/** Why a message is not here, or that it is. */
const outcomes: Readonly<Record<MailOutcome, string>> = {
  kept: "with contacts, stored",
  no_contact: "with people who are not contacts, not stored",
  internal: "between colleagues, not stored",
  group: "to a list, from people who are not contacts, not stored",
  blocked: "with someone you blocked, not stored",
  unreadable: "could not be read",
};

/** What the server has, what was read of it, and what was done with each message. */
export function MailReportSheet({ workspaceId, mailbox, onClose }: MailReportSheetProps) {
  const report = useMailReport(workspaceId, mailbox.id);
  return (
    <Sheet open onOpenChange={(next) => (next ? undefined : onClose())}>
      <SheetContent
        title={`What was read from ${mailbox.address}`}
        description="Every message in the period you chose, by folder."
      >
        <SheetBody reads className="flex flex-col gap-6">
          {report.isPending ? (
            <Loading label="Loading the report">
              <SkeletonText lines={6} />
            </Loading>
          ) : null}
          <LoadProblem title="The report could not be loaded" query={report} className="px-0" />
          {report.data?.folders.length === 0 ? <p className="text-muted-foreground">No folder was read yet.</p> : null}
          {report.data?.folders.map((folder) => (
            <Folder key={folder.path} folder={folder} />
          ))}
          {report.data && report.data.unreadable.length > 0 ? <Unreadable messages={report.data.unreadable} /> : null}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}

function Folder({ folder }: { folder: MailReport["folders"][number] }) {
  const { path, at_server: atServer, read, missing, counted_at: countedAt } = folder;
  const done = Object.entries(folder.outcomes) as [MailOutcome, number][];
  return (
    <section aria-label={path} className="flex flex-col gap-2">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <span className="wrap-anywhere">{path}</span>
        {missing === 0 ? (
          <Badge tone="success">Complete</Badge>
        ) : missing === null ? (
          <Badge>Not counted yet</Badge>
        ) : (
          <Badge tone="danger">{numeral(missing)} missing</Badge>
        )}
      </h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        <Row count={atServer} what="at the server" />
        <Row count={read} what="read" />
        {done
          .toSorted(([, a], [, b]) => b - a)
          .map(([outcome, count]) => (
            <Row key={outcome} count={count} what={outcomes[outcome]} nested />
          ))}
      </dl>
      {countedAt ? (
        <p className="text-muted-foreground text-sm">
          Compared with the server <RelativeTime value={countedAt} />.
        </p>
      ) : null}
    </section>
  );
}

const Row = ({ count, what, nested }: { count: number | null; what: string; nested?: boolean }) => (
  <div className="contents">
    <dt className="text-right tabular-nums">{count === null ? "–" : numeral(count)}</dt>
    <dd className={nested ? "pl-3 text-muted-foreground" : ""}>{what}</dd>
  </div>
);

const Unreadable = ({ messages }: { messages: MailReport["unreadable"] }) => (
  <section aria-label="Messages that could not be read" className="flex flex-col gap-2">
    <h3 className="font-medium">Could not be read</h3>
    <p className="text-muted-foreground text-sm">By folder and the server's number (UID).</p>
    <ul className="text-sm">
      {messages.map(({ path, uid }) => (
        <li key={`${path} ${uid}`} className="wrap-anywhere">
          {path}, {uid}
        </li>
      ))}
    </ul>
  </section>
);
