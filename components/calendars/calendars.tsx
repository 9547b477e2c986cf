"use client";

import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { Trouble } from "#components/integrations/connection-state.tsx";
import { ConnectCard, SourceCard } from "#components/integrations/source-card.tsx";
import { isConnected } from "#components/integrations/sources.ts";
import { OthersSee } from "#components/mail/others-see.tsx";
import { Button } from "#components/ui/button.tsx";
import { counted, numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import {
  type Calendar,
  type CalendarList,
  useCalendars,
  useChangeCalendar,
  useDisconnectCalendar,
  useSyncCalendar,
} from "./calls.ts";
import { nameOf } from "./name-of.ts";
import { shareWords } from "./share-words.ts";

const ConnectDialog = onDemand("“Connect a calendar”", () =>
  import("./connect-calendar-dialog.tsx").then((module) => module.ConnectCalendarDialog),
);
const SecretDialog = onDemand("“New password”", () =>
  import("#components/integrations/new-secret-dialog.tsx").then((module) => module.NewSecretDialog),
);
const EditDialog = onDemand("“Change”", () =>
  import("./edit-calendar-dialog.tsx").then((module) => module.EditCalendarDialog),
);
const DisconnectDialog = onDemand("“Disconnect”", () =>
  import("#components/integrations/disconnect-source-dialog.tsx").then((module) => module.DisconnectSourceDialog),
);

type CalendarsProps = { workspaceId: string; initial: CalendarList };

/** The reader's own calendars, which only they see. */
export function Calendars({ workspaceId, initial }: CalendarsProps) {
  const { data } = useCalendars(workspaceId, initial);
  const [isConnecting, setConnecting] = useState(false);
  return (
    <>
      {data.calendars.map((calendar) => (
        <CalendarCard key={calendar.id} workspaceId={workspaceId} calendar={calendar} ceiling={data.ceiling} />
      ))}
      <ConnectCard
        id="calendars"
        icon={CalendarDays}
        title={data.calendars.length > 0 ? "Another calendar" : "Your calendar"}
        label="Connect a calendar"
        description="Meetings with people outside your company appear on their timelines. You choose how much of them your team sees: only who and when, unless you share more."
        onConnect={() => setConnecting(true)}
      />
      {isConnecting ? (
        <ConnectDialog workspaceId={workspaceId} ceiling={data.ceiling} onClose={() => setConnecting(false)} />
      ) : null}
    </>
  );
}

type CalendarCardProps = { workspaceId: string; calendar: Calendar; ceiling: ShareLevel };

function CalendarCard({ workspaceId, calendar, ceiling }: CalendarCardProps) {
  const [opened, setOpened] = useState<"secret" | "edit" | "disconnect" | null>(null);
  const change = useChangeCalendar(workspaceId, calendar.id);
  const sync = useSyncCalendar(workspaceId, calendar.id);
  const disconnect = useDisconnectCalendar(workspaceId, calendar.id);
  const { kind, server, state, message, share, meetings } = calendar;
  const name = nameOf(calendar);
  const close = () => setOpened(null);
  return (
    <>
      <SourceCard
        name={name}
        source={calendar}
        summary={
          <>
            {kind === "caldav" ? <span className="wrap-anywhere">{hostOf(server)} · </span> : null}
            {counted(meetings, "meeting")} with contacts
          </>
        }
        check={{ label: `Check now for new meetings in ${name}`, isPending: sync.isPending, mutate: sync.mutate }}
        sharing={
          <OthersSee
            name={name}
            share={share}
            ceiling={ceiling}
            words={shareWords}
            disabled={state === "removing" || change.isPending}
            onShare={(next) => change.mutateAsync({ share: next })}
          />
        }
        onChange={() => setOpened("edit")}
        again={{ isPending: false, open: () => setOpened("secret") }}
        onDisconnect={() => setOpened("disconnect")}
      >
        {message ? (
          <Trouble
            message={message}
            action={
              <Button data-writes size="sm" onClick={() => setOpened("secret")}>
                {kind === "ics" ? "New address" : "New password"}
              </Button>
            }
          />
        ) : null}
        {calendar.calendars.length > 0 ? (
          <ul aria-label="What was read" className="flex flex-col gap-1 border-t px-4 py-3 text-sm">
            {calendar.calendars.map((one) => (
              <li key={one.url} className="flex flex-wrap gap-x-2">
                <span className="wrap-anywhere font-medium">{one.name}</span>
                <span className="text-muted-foreground">{wordsOf(one.outcomes)}</span>
              </li>
            ))}
          </ul>
        ) : null}
      </SourceCard>
      {opened === "secret" ? (
        <SecretDialog
          name={name}
          title={kind === "ics" ? "New private address" : `New password of ${name}`}
          label={kind === "ics" ? "Private address" : "Password"}
          onSave={(secret) => change.mutateAsync(kind === "ics" ? { address: secret.trim() } : { password: secret })}
          onClose={close}
        />
      ) : null}
      {opened === "edit" ? <EditDialog workspaceId={workspaceId} calendar={calendar} onClose={close} /> : null}
      {opened === "disconnect" ? (
        <DisconnectDialog
          name={name}
          isConnected={isConnected(state)}
          count={counted(meetings, "meeting")}
          description={`The ${kind === "ics" ? "private address" : "password"} is deleted right away. Nothing changes at your calendar provider.`}
          kind="calendar"
          onDisconnect={(kept) => disconnect.mutateAsync(kept)}
          onClose={close}
        />
      ) : null}
    </>
  );
}

const hostOf = (server: string): string => URL.parse(server)?.host || server;

const outcomeWords = {
  guests: "with guests",
  internal: "internal",
  private: "private",
  blocked: "blocked",
  unreadable: "could not be read",
} as const;

/** Such as "12 with guests · 40 internal". */
function wordsOf(outcomes: Calendar["calendars"][number]["outcomes"]): string {
  const parts = (Object.keys(outcomeWords) as (keyof typeof outcomeWords)[]).flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0;
    return count > 0 ? `${numeral(count)} ${outcomeWords[outcome]}` : [];
  });
  return parts.length > 0 ? parts.join(" · ") : "nothing from 90 days ago to 60 days ahead";
}
