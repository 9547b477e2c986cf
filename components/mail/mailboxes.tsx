"use client";

import { Mail } from "lucide-react";
import { useState } from "react";
import { Trouble } from "#components/integrations/connection-state.tsx";
import { ConnectCard, SourceCard } from "#components/integrations/source-card.tsx";
import { isConnected } from "#components/integrations/sources.ts";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { counted } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import {
  type Mailbox,
  type MailboxList,
  useChangeMailbox,
  useDisconnectMailbox,
  useMailboxes,
  useMailSignIn,
  useSyncMailbox,
} from "./calls.ts";
import { OthersSee } from "./others-see.tsx";
import { shareWords } from "./share-words.ts";

const ConnectDialog = onDemand("“Connect a mailbox”", () =>
  import("./connect-mailbox-dialog.tsx").then((module) => module.ConnectMailboxDialog),
);
const PasswordDialog = onDemand("“New password”", () =>
  import("#components/integrations/new-secret-dialog.tsx").then((module) => module.NewSecretDialog),
);
const DisconnectDialog = onDemand("“Disconnect”", () =>
  import("#components/integrations/disconnect-source-dialog.tsx").then((module) => module.DisconnectSourceDialog),
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
      <ConnectCard
        id="mailboxes"
        icon={Mail}
        title={data.mailboxes.length > 0 ? "Another mailbox" : "Your mailbox"}
        description="Mail with your contacts appears automatically. You choose how much of it your team sees: only who and when, unless you share more."
        onConnect={() => setConnecting(true)}
      />
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

type DialogName = "password" | "disconnect" | "report" | "edit" | "team";

type MailboxCardProps = { workspaceId: string; mailbox: Mailbox; ceiling: ShareLevel };

function MailboxCard({ workspaceId, mailbox, ceiling }: MailboxCardProps) {
  const [opened, setOpened] = useState<DialogName | null>(null);
  const change = useChangeMailbox(workspaceId, mailbox.id);
  const sync = useSyncMailbox(workspaceId, mailbox.id);
  const signIn = useMailSignIn(workspaceId);
  const { address, state, message, share, kept, missing, sign_in: provider } = mailbox;
  /** A new password, or another sign-in with the provider. */
  const openAgain = () =>
    provider === null
      ? setOpened("password")
      : signIn.mutate({ provider, mailbox_id: mailbox.id }, { onError: toastProblem });
  return (
    <>
      <SourceCard
        name={address}
        source={mailbox}
        shown={missing > 0 && state === "current" ? "failing" : state}
        summary={`${counted(kept, "message")} with contacts`}
        check={{ label: `Check now for new mail in ${address}`, isPending: sync.isPending, mutate: sync.mutate }}
        sharing={
          <OthersSee
            name={address}
            share={share}
            ceiling={ceiling}
            words={shareWords}
            disabled={state === "removing" || change.isPending}
            onShare={(next) => change.mutateAsync({ share: next })}
          />
        }
        buttons={
          <>
            <Button size="sm" onClick={() => setOpened("team")}>
              As my team sees it
            </Button>
            <Button size="sm" onClick={() => setOpened("report")}>
              What was read
            </Button>
          </>
        }
        onChange={() => setOpened("edit")}
        again={{ isPending: signIn.isPending, open: openAgain }}
        onDisconnect={() => setOpened("disconnect")}
      >
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
            message={`${counted(missing, "message")} at the server should be here and ${missing === 1 ? "is" : "are"} not. ${missing === 1 ? "It is" : "They are"} looked for again every hour.`}
            action={
              <Button size="sm" onClick={() => setOpened("report")}>
                See where
              </Button>
            }
          />
        ) : null}
      </SourceCard>
      {opened ? (
        <Opened workspaceId={workspaceId} mailbox={mailbox} opened={opened} onClose={() => setOpened(null)} />
      ) : null}
    </>
  );
}

type OpenedProps = { workspaceId: string; mailbox: Mailbox; opened: DialogName; onClose: () => void };

function Opened({ workspaceId, mailbox, opened, onClose }: OpenedProps) {
  const change = useChangeMailbox(workspaceId, mailbox.id);
  const disconnect = useDisconnectMailbox(workspaceId, mailbox.id);
  switch (opened) {
    case "password":
      return (
        <PasswordDialog
          name={mailbox.address}
          title={`New password of ${mailbox.address}`}
          label="Password"
          onSave={(password) => change.mutateAsync({ password })}
          onClose={onClose}
        />
      );
    case "disconnect":
      return (
        <DisconnectDialog
          name={mailbox.address}
          isConnected={isConnected(mailbox.state)}
          count={counted(mailbox.kept, "message")}
          description="The password is deleted right away. Nothing changes at your mail provider."
          kind="mailbox"
          onDisconnect={(messages) => disconnect.mutateAsync(messages)}
          onClose={onClose}
        />
      );
    case "team":
      return <TeamViewSheet workspaceId={workspaceId} mailbox={mailbox} onClose={onClose} />;
    case "edit":
      return <EditDialog workspaceId={workspaceId} mailbox={mailbox} onClose={onClose} />;
    case "report":
      return <ReportSheet workspaceId={workspaceId} mailbox={mailbox} onClose={onClose} />;
  }
}
