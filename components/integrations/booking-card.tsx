"use client";

import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { BackfillPanel } from "./backfill-panel.tsx";
import { type BackfillList, type IntegrationDetail, useIntegration, useRegisterAgain } from "./calls.ts";
import { connectedFact, Facts, WebhookIndicator } from "./connection-state.tsx";
import { deliveringOf } from "./delivery-calls.ts";
import { IntegrationCard } from "./integration-card.tsx";
import { LastDeliveries } from "./last-deliveries.tsx";

const BookingDialog = onDemand("“Connect”", () =>
  import("./booking-dialog.tsx").then((module) => module.BookingDialog),
);

export type BookingCardProps = {
  workspaceId: string;
  canManage: boolean;
  initial: IntegrationDetail;
  backfills: BackfillList;
};

/** The booking provider: connected or not, its webhook, past bookings, last deliveries. */
export function BookingCard({ workspaceId, canManage, initial, backfills }: BookingCardProps) {
  const { data: integration } = useIntegration(workspaceId, initial);
  const { connected, display_name: name, message } = integration;
  return (
    <IntegrationCard
      workspaceId={workspaceId}
      canManage={canManage}
      integration={integration}
      description="Anyone who books a meeting becomes a contact; bookings, reschedules and cancellations appear on timelines."
      credential="key"
      ConnectDialog={BookingDialog}
      parting={`The webhook in ${name} is deleted and new bookings no longer appear. What was captured stays.`}
      wayOut={(onReconnect) => <WayOut workspaceId={workspaceId} integration={integration} onReconnect={onReconnect} />}
    >
      {connected ? (
        <>
          <Facts
            facts={[
              ["Account", integration.account ?? "unknown"],
              ["Webhook", <WebhookIndicator key="webhook" integration={integration} />],
              connectedFact(integration),
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
          <BackfillPanel workspaceId={workspaceId} initial={backfills} problem={message} />
          <LastDeliveries
            workspaceId={workspaceId}
            provider={deliveringOf(integration)}
            canReplay={canManage}
            empty="Nothing delivered yet. Book a meeting with yourself to see it arrive."
          />
        </>
      ) : null}
    </IntegrationCard>
  );
}

type WayOutProps = { workspaceId: string; integration: IntegrationDetail; onReconnect: () => void };

/**
 * A refused key is replaced; a webhook that could not be registered, or whose signatures are wrong, is registered
 * again.
 */
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
      onClick={() => register.mutate(integration.provider, { onError: toastProblem })}
    >
      {integration.webhook_status === "failed" ? "Try again" : "Register again"}
    </Button>
  );
}
