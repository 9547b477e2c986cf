"use client";

import { Mail } from "lucide-react";
import { useState } from "react";
import { Trouble } from "#components/integrations/connection-state.tsx";
import { problemOf } from "#components/records/problem.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import {
  type Mailbox,
  type MailboxList,
  useChangeMailbox,
  useMailboxes,
  useMailSignIn,
  useSyncMailbox,
} from "./calls.ts";
import { ShareSelect } from "./share-select.tsx";
import { shareWords } from "./share-words.ts";

const ConnectDialog = onDemand("“Connect a mailbox”", () =>
  import("./connect-mailbox-dialog.tsx").then((module) => module.ConnectMailboxDialog),
);
const PasswordDialog = onDemand("“New password”", () =>
  import("./mailbox-password-dialog.tsx").then((module) => module.MailboxPasswordDialog),
);
const DisconnectDialog = onDemand("“Disconnect”", () =>
  import("./disconnect-mailbox-dialog.tsx").then((module) => module.DisconnectMailboxDialog),
);
const TeamViewSheet = onDemand("The team's view", () =>
  import("./team-view-sheet.tsx").then((module) => module.TeamViewSheet),
);
const EditDialog = onDemand("“Change”", () =>
  import("./edit-mailbox-dialog.tsx").then((module) => module.EditMailboxDialog),
);
const ReportSheet = onDemand("The report", () =>
  import("./mail-report-sheet.tsx").then((module) => module.MailReportSheet),
);

type MailboxesProps = { workspaceId: string; initial: MailboxList };

/** The reader's own mailboxes, which only they see. */
export function Mailboxes({ workspaceId, initial }: MailboxesProps) {
  const { data } = useMailboxes(workspaceId, initial);
  const [isConnecting, setConnecting] = useState(false);
  return (
    <>
      {data.mailboxes.map((mailbox) => (
        <MailboxCard key={mailbox.id} workspaceId={workspaceId} mailbox={mailbox} ceiling={data.ceiling} />
      ))}
      <Card aria-labelledby="mailboxes">
        <CardHeader
          titleId="mailboxes"
          title={
            <span className="flex items-center gap-2">
              <Mail aria-hidden="true" className="size-4 text-muted-foreground" />
              {data.mailboxes.length > 0 ? "Another mailbox" : "Your mailbox"}
            </span>
          }
          description="Mail with your contacts appears automatically. You choose how much of it your team sees: only who and when, unless you share more."
          actions={
            <Button data-writes onClick={() => setConnecting(true)}>
              Connect
            </Button>
          }
        />
      </Card>
      {isConnecting ? (
        <ConnectDialog
          workspaceId={workspaceId}
          ceiling={data.ceiling}
          signIn={data.sign_in}
          onClose={() => setConnecting(false)}
        />
      ) : null}
    </>
  );
}

const states = {
  reading: { tone: "neutral", label: "Reading" },
  current: { tone: "success", label: "Up to date" },
  failing: { tone: "warning", label: "Needs attention" },
  disconnected: { tone: "neutral", label: "Disconnected" },
  removing: { tone: "neutral", label: "Being removed" },
} as const;

type MailboxCardProps = { workspaceId: string; mailbox: Mailbox; ceiling: ShareLevel };

function MailboxCard({ workspaceId, mailbox, ceiling }: MailboxCardProps) {
  const [opened, setOpened] = useState<"password" | "disconnect" | "report" | "edit" | "team" | null>(null);
  const change = useChangeMailbox(workspaceId, mailbox.id);
  const sync = useSyncMailbox(workspaceId, mailbox.id);
  const signIn = useMailSignIn(workspaceId);
  const { address, state, message, share, kept, missing, synced_at: syncedAt, sign_in: provider } = mailbox;
  const { tone, label } = states[missing > 0 && state === "current" ? "failing" : state];
  const isConnected = state === "reading" || state === "current" || state === "failing";
  const close = () => setOpened(null);
  /** A new password, or another sign-in with the provider. */
  const openAgain = () =>
    provider === null
      ? setOpened("password")
      : signIn.mutate(
          { provider, mailbox_id: mailbox.id },
          { onError: (error) => toast.error(problemOf(error).message) },
        );
  const shareAs = (next: ShareLevel) =>
    change.mutate(
      { share: next },
      {
        onSuccess: () => toast.success(`Others can now see: ${shareWords[next].label.toLowerCase()}.`),
        onError: (error) => toast.error(problemOf(error).message),
      },
    );
  return (
    <Card aria-label={address}>
      <CardHeader
        title={<span className="wrap-anywhere">{address}</span>}
        aside={
          <Badge tone={tone} dot>
            {label}
          </Badge>
        }
        description={
          <>
            {numeral(kept)} {kept === 1 ? "message" : "messages"} with contacts
            {syncedAt ? (
              <>
                {" · checked "}
                <RelativeTime value={syncedAt} />
              </>
            ) : null}
          </>
        }
        actions={
          isConnected ? (
            <Button
              data-writes
              loading={sync.isPending}
              onClick={() => sync.mutate()}
              aria-label={`Check now for new mail in ${address}`}
            >
              Check now
            </Button>
          ) : null
        }
      />
      {message ? (
        <Trouble
          message={message}
          action={
            <Button data-writes size="sm" loading={signIn.isPending} onClick={openAgain}>
              {provider === null ? "New password" : "Sign in again"}
            </Button>
          }
        />
      ) : null}
      {missing > 0 ? (
        <Trouble
          message={`${numeral(missing)} ${missing === 1 ? "message" : "messages"} at the server should be here and ${missing === 1 ? "is" : "are"} not. ${missing === 1 ? "It is" : "They are"} looked for again every hour.`}
          action={
            <Button size="sm" onClick={() => setOpened("report")}>
              See where
            </Button>
          }
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t px-4 py-3">
        <span className="flex min-w-60 flex-1 flex-wrap items-center gap-2">
          <span className="text-muted-foreground text-sm">Others can see</span>
          <ShareSelect
            aria-label={`What others can see from ${address}`}
            value={share}
            ceiling={ceiling}
            onChange={shareAs}
            disabled={state === "removing" || change.isPending}
            size="sm"
            className="w-36"
          />
          <span className="text-muted-foreground text-sm">{shareWords[share].hint}</span>
        </span>
        <span className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setOpened("team")}>
            As my team sees it
          </Button>
          <Button size="sm" onClick={() => setOpened("report")}>
            What was read
          </Button>
          {isConnected ? (
            <Button data-writes size="sm" onClick={() => setOpened("edit")}>
              Change
            </Button>
          ) : null}
          {state === "disconnected" ? (
            <Button data-writes size="sm" loading={signIn.isPending} onClick={openAgain}>
              Connect again
            </Button>
          ) : null}
          {state === "removing" ? null : (
            <Button data-writes size="sm" onClick={() => setOpened("disconnect")}>
              {isConnected ? "Disconnect" : "Remove"}
            </Button>
          )}
        </span>
      </div>
      {opened === "password" ? <PasswordDialog workspaceId={workspaceId} mailbox={mailbox} onClose={close} /> : null}
      {opened === "disconnect" ? (
        <DisconnectDialog workspaceId={workspaceId} mailbox={mailbox} onClose={close} />
      ) : null}
      {opened === "team" ? <TeamViewSheet workspaceId={workspaceId} mailbox={mailbox} onClose={close} /> : null}
      {opened === "edit" ? <EditDialog workspaceId={workspaceId} mailbox={mailbox} onClose={close} /> : null}
      {opened === "report" ? <ReportSheet workspaceId={workspaceId} mailbox={mailbox} onClose={close} /> : null}
    </Card>
  );
}
