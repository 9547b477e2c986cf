"use client";

import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { Trouble } from "#components/integrations/connection-state.tsx";
import { isConnected, sourceStates } from "#components/integrations/sources.ts";
import { OthersSee } from "#components/mail/others-see.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
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
      <Card aria-labelledby="calendars">
        <CardHeader
          titleId="calendars"
          title={
            <span className="flex items-center gap-2">
              <CalendarDays aria-hidden="true" className="size-4 text-muted-foreground" />
              {data.calendars.length > 0 ? "Another calendar" : "Your calendar"}
            </span>
          }
          description="Meetings with people outside your company appear on their timelines. You choose how much of them your team sees: only who and when, unless you share more."
          actions={
            <Button data-writes aria-label="Connect a calendar" onClick={() => setConnecting(true)}>
              Connect
            </Button>
          }
        />
      </Card>
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
  const { kind, server, state, message, share, meetings, synced_at: syncedAt } = calendar;
  const { tone, label } = sourceStates[state];
  const name = nameOf(calendar);
  const connected = isConnected(state);
  const close = () => setOpened(null);
  return (
    <Card aria-label={name}>
      <CardHeader
        title={<span className="wrap-anywhere">{name}</span>}
        aside={
          <Badge tone={tone} dot>
            {label}
          </Badge>
        }
        description={
          <>
            {kind === "caldav" ? <span className="wrap-anywhere">{hostOf(server)} · </span> : null}
            {counted(meetings)} with contacts
            {syncedAt ? (
              <>
                {" · checked "}
                <RelativeTime value={syncedAt} />
              </>
            ) : null}
          </>
        }
        actions={
          connected ? (
            <Button
              data-writes
              loading={sync.isPending}
              onClick={() => sync.mutate()}
              aria-label={`Check now for new meetings in ${name}`}
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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t px-4 py-3">
        <OthersSee
          name={name}
          share={share}
          ceiling={ceiling}
          words={shareWords}
          disabled={state === "removing" || change.isPending}
          onShare={(next) => change.mutateAsync({ share: next })}
        />
        <span className="flex flex-wrap gap-2">
          {connected ? (
            <Button data-writes size="sm" onClick={() => setOpened("edit")}>
              Change
            </Button>
          ) : null}
          {state === "disconnected" ? (
            <Button data-writes size="sm" onClick={() => setOpened("secret")}>
              Connect again
            </Button>
          ) : null}
          {state === "removing" ? null : (
            <Button data-writes size="sm" onClick={() => setOpened("disconnect")}>
              {connected ? "Disconnect" : "Remove"}
            </Button>
          )}
        </span>
      </div>
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
          isConnected={connected}
          count={counted(meetings)}
          description={`The ${kind === "ics" ? "private address" : "password"} is deleted right away. Nothing changes at your calendar provider.`}
          kind="calendar"
          onDisconnect={(kept) => disconnect.mutateAsync(kept)}
          onClose={close}
        />
      ) : null}
    </Card>
  );
}

const counted = (meetings: number): string => `${numeral(meetings)} ${meetings === 1 ? "meeting" : "meetings"}`;

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
