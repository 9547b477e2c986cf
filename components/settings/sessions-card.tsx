"use client";

import { Monitor, Smartphone } from "lucide-react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { toast } from "#components/ui/toaster.tsx";
import { type Sessions, useRevokeSession, useSessions } from "./sessions.ts";
import { deviceName, isPhone } from "./user-agent.ts";

export function SessionsCard({ initial }: { initial: Sessions }) {
  const { sessions } = useSessions(initial).data;
  const revoke = useRevokeSession();
  const others = sessions.filter((session) => !session.current).length;

  async function end(id: string) {
    try {
      await revoke.mutateAsync(id);
      toast.success("Signed out there.");
    } catch (error) {
      toast.error(failureOf(error));
    }
  }

  return (
    <Card aria-labelledby="sessions">
      <CardHeader
        titleId="sessions"
        title="Sessions"
        description="Where you are signed in. Sessions that you stop using end automatically."
        actions={
          others > 0 ? (
            <AlertDialog
              trigger={<Button size="sm">Sign out elsewhere</Button>}
              title="Sign out everywhere else"
              description={`${others === 1 ? "The other session ends" : `The ${others} other sessions end`} at once. This browser stays signed in.`}
              confirmLabel="Sign out elsewhere"
              onConfirm={async () => {
                await revoke.mutateAsync("others");
                toast.success("Signed out everywhere else.");
              }}
            />
          ) : null
        }
      />
      <ul>
        {sessions.map((session) => {
          const name = deviceName(session.user_agent);
          const Icon = isPhone(session.user_agent) ? Smartphone : Monitor;
          return (
            <li key={session.id} className="flex min-h-14 items-center gap-3 border-t px-4 py-2">
              <Icon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2">
                  {name}
                  {session.current ? <Badge tone="success">This browser</Badge> : null}
                </p>
                <p className="text-muted-foreground text-sm">
                  {session.ip ? `${session.ip} · ` : ""}signed in <RelativeTime value={session.created_at} />
                </p>
              </div>
              {session.current ? null : (
                <Button size="sm" aria-label={`Sign out ${name}`} onClick={() => void end(session.id)}>
                  Sign out
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
