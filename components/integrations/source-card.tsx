import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { isConnected, type SourceState, sourceStates } from "./sources.ts";

type SourceCardProps = {
  name: string;
  source: { state: SourceState; synced_at: string | null };
  /** What its badge says, where that is not its state. */
  shown?: SourceState;
  /** Where it is, and what was read of it. */
  summary: ReactNode;
  check: { label: string; isPending: boolean; mutate: () => void };
  /** Who else sees what is in it. */
  sharing: ReactNode;
  /** Further buttons, in front. */
  buttons?: ReactNode;
  onChange: () => void;
  again: { isPending: boolean; open: () => void };
  onDisconnect: () => void;
  /** What is wrong, and what there is to say between head and buttons. */
  children: ReactNode;
};

/** One mailbox or calendar of the reader: how it is, and what they can do with it. */
export function SourceCard(props: SourceCardProps) {
  const { name, source, shown = source.state, summary, check, sharing, buttons, again, children } = props;
  const { tone, label } = sourceStates[shown];
  const connected = isConnected(source.state);
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
            {summary}
            {source.synced_at ? (
              <>
                {" · checked "}
                <RelativeTime value={source.synced_at} />
              </>
            ) : null}
          </>
        }
        actions={
          connected ? (
            <Button data-writes loading={check.isPending} onClick={() => check.mutate()} aria-label={check.label}>
              Check now
            </Button>
          ) : null
        }
      />
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t px-4 py-3">
        {sharing}
        <span className="flex flex-wrap gap-2">
          {buttons}
          {connected ? (
            <Button data-writes size="sm" onClick={props.onChange}>
              Change
            </Button>
          ) : null}
          {source.state === "disconnected" ? (
            <Button data-writes size="sm" loading={again.isPending} onClick={again.open}>
              Connect again
            </Button>
          ) : null}
          {source.state === "removing" ? null : (
            <Button data-writes size="sm" onClick={props.onDisconnect}>
              {connected ? "Disconnect" : "Remove"}
            </Button>
          )}
        </span>
      </div>
    </Card>
  );
}

type ConnectCardProps = {
  id: string;
  icon: LucideIcon;
  title: string;
  description: string;
  label?: string;
  onConnect: () => void;
};

/** Where a first or another one is connected. */
export function ConnectCard({ id, icon: Icon, title, description, label, onConnect }: ConnectCardProps) {
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        titleId={id}
        title={
          <span className="flex items-center gap-2">
            <Icon aria-hidden="true" className="size-4 text-muted-foreground" />
            {title}
          </span>
        }
        description={description}
        actions={
          <Button data-writes aria-label={label} onClick={onConnect}>
            Connect
          </Button>
        }
      />
    </Card>
  );
}
