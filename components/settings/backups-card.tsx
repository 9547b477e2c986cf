"use client";

import type { ReactNode } from "react";
import { sizeOf } from "#components/exports/words.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import type { BackupStatus, StoredBackup } from "#lib/domain/workspace/backup-status/contract.ts";
import { formatMinute } from "#lib/text/time.ts";
import { useBackups } from "./backup-calls.ts";

const looks: Record<BackupStatus["state"], { label: string; tone: BadgeProps["tone"] }> = {
  off: { label: "Off", tone: "neutral" },
  fine: { label: "Fine", tone: "success" },
  late: { label: "Late", tone: "warning" },
  failing: { label: "Failing", tone: "danger" },
};

const SETTINGS = "BACKUP_TO=/mnt/backups\nBACKUP_EVERY=24h";

/** The backups of the server: how old, whether one was restored for a proof, and how to bring the database back. */
export function BackupsCard({ workspaceId, initial }: { workspaceId: string; initial: BackupStatus }) {
  const query = useBackups(workspaceId, initial);
  const { database, state, made_at, verified_at, next_at, moments, server } = query.data;
  const { label, tone } = looks[state];
  return (
    <Card aria-labelledby="backups">
      <CardHeader
        titleId="backups"
        title="Backups"
        aside={
          <Badge tone={tone} dot={state !== "off"}>
            {label}
          </Badge>
        }
        description="Copies of the whole database of this server, with all its workspaces."
      />
      <LoadProblem
        title="The backups could not be refreshed"
        query={query}
        note="What you see may be out of date."
        className="border-t"
      />
      {database === "own" ? (
        <CardBody className="text-muted-foreground">
          This server uses its own Postgres (DATABASE_URL). Back it up with the tools of that database: base backups
          with WAL archiving, or pg_dump.
        </CardBody>
      ) : state === "off" ? (
        <CardBody className="flex flex-col gap-2">
          <p className="text-muted-foreground">
            The server does not make backups automatically. The person who runs it sets a folder on another disk and how
            often, and starts it again:
          </p>
          <CodeBlock code={SETTINGS} />
        </CardBody>
      ) : null}
      {made_at === null && state === "off" ? null : (
        <dl>
          <Row name="Last backup">{made_at === null ? "None yet" : <RelativeTime value={made_at} />}</Row>
          <Row name="Last proof">
            {verified_at === null ? (
              "No backup was restored yet"
            ) : (
              <>
                Restored <RelativeTime value={verified_at} />
              </>
            )}
          </Row>
          {next_at === null ? null : (
            <Row name="Next backup">
              <RelativeTime value={next_at} />
            </Row>
          )}
          {moments === null ? null : (
            <Row name="Can restore to">
              <LocalTimes>{`from ${formatMinute(new Date(moments.from))} to ${formatMinute(new Date(moments.until))}`}</LocalTimes>
            </Row>
          )}
        </dl>
      )}
      {server ? <ServerPart server={server} hasMoments={moments !== null} /> : null}
    </Card>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-1.5">
      <dt className="w-32 text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere min-w-40 flex-1">{children}</dd>
    </div>
  );
}

function ServerPart({ server, hasMoments }: { server: NonNullable<BackupStatus["server"]>; hasMoments: boolean }) {
  const { folder, problem, wrong, backups } = server;
  const newest = `${folder}/${backups[0]?.name ?? "<backup>"}`;
  const at = hasMoments ? " --at latest" : "";
  return (
    <>
      {[...(problem === null ? [] : [problem]), ...wrong].map((sentence) => (
        <p key={sentence} role="status" className="wrap-anywhere border-t bg-danger-soft px-4 py-2.5 text-danger-text">
          {sentence}
        </p>
      ))}
      {backups.length === 0 ? null : (
        <ul aria-label="Stored backups" className="border-t bg-muted/30">
          {backups.map((backup) => (
            <StoredRow key={backup.name} backup={backup} />
          ))}
        </ul>
      )}
      <CardBody className="flex flex-col gap-2">
        <p className="text-muted-foreground text-sm">
          On the server. A restore needs an empty folder, and leaves this database as it is. Keep a copy of secrets.json
          of the data folder in another place: it is not in a backup.
        </p>
        <CodeBlock title="Restore" code={`npx rapport admin restore ${newest}${at} --into /srv/rapport-restored`} />
        <CodeBlock title="Verify now" code={`npx rapport admin backup verify ${newest}`} />
        <CodeBlock title="Back up now" code={`npx rapport admin backup ${folder}`} />
      </CardBody>
    </>
  );
}

function StoredRow({ backup: { name, made_at, bytes, is_whole } }: { backup: StoredBackup }) {
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-1.5 first:border-t-0">
      <span className="wrap-anywhere min-w-56 flex-1 font-mono text-sm">{name}</span>
      {is_whole === null ? null : (
        <Badge tone={is_whole ? "success" : "danger"}>{is_whole ? "Restored" : "Not whole"}</Badge>
      )}
      <span className="text-muted-foreground text-sm tabular-nums">{sizeOf(bytes)}</span>
      <RelativeTime value={made_at} className="w-20 text-right text-muted-foreground text-sm" />
    </li>
  );
}
