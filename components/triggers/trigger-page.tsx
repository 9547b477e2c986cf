"use client";

import { Pause, Play, Send } from "lucide-react";
import { useState } from "react";
import { DeliveryDays } from "#components/records/delivery-days.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { eventLabel } from "#lib/domain/integrations/triggers/words.ts";
import {
  type DeliveryPage,
  type TriggerSummary,
  useDelete,
  useEdit,
  useResume,
  useTest,
  useTrigger,
  useTriggerDays,
} from "./calls.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { Health } from "./health.tsx";
import { TriggerMenu, type TriggerWish } from "./trigger-menu.tsx";
import { filterWords, stateOf } from "./words.ts";

const EditTrigger = onDemand("“Edit”", () => import("./edit-trigger.tsx").then((module) => module.EditTrigger));
const RotateDialog = onDemand("“Rotate”", () => import("./rotate-dialog.tsx").then((module) => module.RotateDialog));
type TriggerPageProps = {
  workspaceId: string;
  canManage: boolean;
  initial: TriggerSummary;
  deliveries: DeliveryPage;
  readAt: number;
};

/** One trigger: how it does, what one can do about it, and its log. */
export function TriggerPage({ workspaceId, canManage, initial, deliveries, readAt }: TriggerPageProps) {
  const query = useTrigger(workspaceId, initial);
  const { trigger } = query.data;
  const days = useTriggerDays(workspaceId, trigger.id);
  const [wish, setWish] = useState<TriggerWish | null>(null);
  const remove = useDelete(workspaceId);
  const close = () => setWish(null);
  return (
    <>
      <LoadProblem card title="The trigger could not be refreshed" query={query} />
      <Card aria-label="Overview">
        <CardHeader
          title="Overview"
          aside={
            <Badge tone={stateOf(trigger).tone} dot>
              {stateOf(trigger).label}
            </Badge>
          }
          actions={canManage ? <Actions workspaceId={workspaceId} trigger={trigger} onWish={setWish} /> : null}
        />
        <CardBody className="flex flex-col gap-3">
          <Trouble trigger={trigger} />
          <Facts trigger={trigger} now={readAt} />
        </CardBody>
      </Card>
      <DeliveryDays query={days} done="delivered" none="Nothing was sent in the last 30 days." />
      <DeliveryLog workspaceId={workspaceId} trigger={trigger} canManage={canManage} initial={deliveries} />
      {wish === "edit" ? <EditTrigger workspaceId={workspaceId} trigger={trigger} onClose={close} /> : null}
      {wish === "rotate" ? <RotateDialog workspaceId={workspaceId} trigger={trigger} onClose={close} /> : null}
      {wish === "delete" ? (
        <AlertDialog
          open
          onOpenChange={(open) => (open ? undefined : close())}
          title="Delete this trigger?"
          description="Its log is deleted too, and events that wait are not sent. This cannot be undone."
          confirmLabel="Delete trigger"
          onConfirm={async () => {
            await remove.mutateAsync(trigger.id);
            window.location.assign(`/${workspaceId}/triggers`);
          }}
        />
      ) : null}
    </>
  );
}

type Of = { workspaceId: string; trigger: TriggerSummary };

function Actions({ workspaceId, trigger, onWish }: Of & { onWish: (wish: TriggerWish) => void }) {
  const test = useTest(workspaceId);
  const edit = useEdit(workspaceId);
  const resume = useResume(workspaceId);
  const { id } = trigger;
  const failed = (error: unknown) => toast.error("That did not work.", { description: problemOf(error).message });
  const send = () =>
    test.mutate(id, {
      onSuccess: ({ ok, delivery }) => {
        if (ok) toast.success("The target accepted the test.", { description: `It answered ${delivery.last_status}.` });
        else toast.error("The test failed.", { description: delivery.problem ?? "There was no answer." });
      },
      onError: failed,
    });
  return (
    <>
      <Button size="sm" onClick={send} loading={test.isPending}>
        <Send aria-hidden="true" /> Send test
      </Button>
      {trigger.status === "active" ? (
        <Button
          size="sm"
          loading={edit.isPending}
          onClick={() => edit.mutate({ id, status: "paused" }, { onError: failed })}
        >
          <Pause aria-hidden="true" /> Pause
        </Button>
      ) : (
        <Button
          size="sm"
          variant="primary"
          loading={resume.isPending}
          onClick={() => resume.mutate({ id }, { onSuccess: () => toast.success("Trigger resumed."), onError: failed })}
        >
          <Play aria-hidden="true" /> Resume
        </Button>
      )}
      <TriggerMenu onWish={onWish} />
    </>
  );
}

/** What is wrong, and when it is tried again. */
function Trouble({ trigger }: { trigger: TriggerSummary }) {
  const { message, next_attempt_at, status, waiting } = trigger;
  if (message === null && status === "active") return null;
  const disabled = status === "disabled";
  return (
    <p
      role="status"
      className={`rounded-md px-3 py-2 text-pretty text-sm ${disabled ? "bg-danger-soft text-danger-text" : "bg-warning-soft text-warning-text"}`}
    >
      {message ?? "Paused. Events wait here, for 30 days at most."} {waiting > 0 ? `${numeral(waiting)} waiting. ` : ""}
      {next_attempt_at ? (
        <>
          Next attempt: <RelativeTime value={next_attempt_at} />.
        </>
      ) : null}
    </p>
  );
}

function Facts({ trigger, now }: { trigger: TriggerSummary; now: number }) {
  const filters = filterWords(trigger.filters);
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[8rem_minmax(0,1fr)] [&_dd]:min-w-0 [&_dt]:text-muted-foreground">
      <dt>URL</dt>
      <dd className="wrap-anywhere font-mono text-sm">{trigger.url}</dd>
      <dt>Events</dt>
      <dd className="flex flex-wrap gap-1">
        {trigger.events.map((event) => (
          <Badge key={event} tone="outline" title={event}>
            {eventLabel(event)}
          </Badge>
        ))}
      </dd>
      {filters.length > 0 ? (
        <>
          <dt>Only when</dt>
          <dd className="wrap-anywhere">{filters.join("; ")}</dd>
        </>
      ) : null}
      {trigger.secret_overlap_until ? (
        <>
          <dt>Old secret</dt>
          <dd>
            Signs too until <RelativeTime value={trigger.secret_overlap_until} />
          </dd>
        </>
      ) : null}
      <dt>Health</dt>
      <dd>
        <Health health={trigger.health} now={now} />
      </dd>
    </dl>
  );
}
