"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { BackfillPanel } from "./backfill-panel.tsx";
import { type BackfillList, type IntegrationDetail, useIntegration, useRegisterAgain } from "./calls.ts";
import { ConnectionMenu } from "./connection-menu.tsx";
import { Facts, LastDeliveries, StatusBadge, Trouble, WebhookIndicator } from "./connection-state.tsx";
import { Deliveries } from "./deliveries.tsx";

const BookingDialog = dynamic(() => import("./booking-dialog.tsx").then((module) => module.BookingDialog), {
  ssr: false,
});
const DisconnectDialog = dynamic(() => import("./disconnect-dialog.tsx").then((module) => module.DisconnectDialog), {
  ssr: false,
});

export type BookingCardProps = {
  workspaceId: string;
  canManage: boolean;
  initial: IntegrationDetail;
  backfills: BackfillList;
};

/** The booking provider: connected or not, its webhook, past bookings, last deliveries. */
export function BookingCard({ workspaceId, canManage, initial, backfills }: BookingCardProps) {
  const { data: integration } = useIntegration(workspaceId, initial);
  const [opened, setOpened] = useState<"connect" | "disconnect" | null>(null);
  const { connected, display_name: name, message } = integration;
  const close = () => setOpened(null);
  return (
    <Card aria-labelledby="booking">
      <CardHeader
        titleId="booking"
        title={name}
        aside={<StatusBadge integration={integration} />}
        description="Who books a meeting becomes a contact; bookings, reschedules and cancellations appear on timelines."
        actions={
          !canManage ? null : connected ? (
            <ConnectionMenu
              name={name}
              change="Change the key…"
              onChange={() => setOpened("connect")}
              onDisconnect={() => setOpened("disconnect")}
            />
          ) : (
            <Button variant="primary" onClick={() => setOpened("connect")}>
              Connect
            </Button>
          )
        }
      />
      {message ? (
        <Trouble
          message={message}
          action={
            canManage && connected ? (
              <WayOut workspaceId={workspaceId} integration={integration} onReconnect={() => setOpened("connect")} />
            ) : null
          }
        />
      ) : null}
      {connected ? (
        <>
          <Facts
            facts={[
              ["Account", integration.account ?? "unknown"],
              ["Webhook", <WebhookIndicator key="webhook" integration={integration} />],
              [
                "Connected",
                <span key="connected">
                  {integration.connected_at ? <RelativeTime value={integration.connected_at} /> : null}
                  {integration.connected_by ? ` by ${integration.connected_by}` : null}
                </span>,
              ],
              [
                "Hourly check",
                integration.synced_at ? (
                  <RelativeTime key="checked" value={integration.synced_at} />
                ) : (
                  "the first one within the hour"
                ),
              ],
            ]}
          />
          <BackfillPanel workspaceId={workspaceId} initial={backfills} said={message} />
          <LastDeliveries>
            <Deliveries
              workspaceId={workspaceId}
              canReplay={canManage}
              filter={CAL_COM}
              limit={5}
              moreHref={`/${workspaceId}/integrations/deliveries?provider=cal_com`}
              empty="Nothing was delivered yet. Book a meeting with yourself to see it arrive."
            />
          </LastDeliveries>
        </>
      ) : canManage ? null : (
        <p className="border-t px-4 py-3 text-muted-foreground text-sm">
          An administrator of the workspace can connect it.
        </p>
      )}
      {opened === "connect" ? (
        <BookingDialog workspaceId={workspaceId} integration={integration} onClose={close} />
      ) : null}
      {opened === "disconnect" ? (
        <DisconnectDialog
          workspaceId={workspaceId}
          integration={integration}
          description={`The webhook in ${name} is deleted and new bookings no longer appear. What was captured stays.`}
          onClose={close}
        />
      ) : null}
    </Card>
  );
}

const CAL_COM = { provider: "cal_com" } as const;

type WayOutProps = { workspaceId: string; integration: IntegrationDetail; onReconnect: () => void };

/** A refused key is exchanged; a webhook that could not be registered, or delivers what we cannot believe, is registered again. */
function WayOut({ workspaceId, integration, onReconnect }: WayOutProps) {
  const register = useRegisterAgain(workspaceId);
  if (!integration.is_verified)
    return (
      <Button size="sm" onClick={onReconnect}>
        Change the key
      </Button>
    );
  if (integration.webhook_status !== "failed" && integration.turned_away === 0) return null;
  return (
    <Button
      size="sm"
      loading={register.isPending}
      onClick={() =>
        register.mutate(integration.provider, { onError: (error) => toast.error(problemOf(error).message) })
      }
    >
      {integration.webhook_status === "failed" ? "Try again" : "Register again"}
    </Button>
  );
}
