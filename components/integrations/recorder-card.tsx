"use client";

import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { type IntegrationDetail, useIntegration } from "./calls.ts";
import { connectedFact, Facts, WebhookIndicator } from "./connection-state.tsx";
import { deliveringOf } from "./delivery-calls.ts";
import { IntegrationCard } from "./integration-card.tsx";
import { LastDeliveries } from "./last-deliveries.tsx";

const RecorderDialog = onDemand("“Connect”", () =>
  import("./recorder-dialog.tsx").then((module) => module.RecorderDialog),
);

export type RecorderCardProps = { workspaceId: string; canManage: boolean; initial: IntegrationDetail };

/** The meeting recorder: where it delivers to, whether deliveries come in, a signed test, last deliveries. */
export function RecorderCard({ workspaceId, canManage, initial }: RecorderCardProps) {
  const { data: integration } = useIntegration(workspaceId, initial);
  const { connected, display_name: name, secret_from } = integration;
  const hasSecret = secret_from !== null;

  return (
    <IntegrationCard
      workspaceId={workspaceId}
      canManage={canManage}
      integration={integration}
      description="A recorded meeting appears on the timeline of every contact who was invited, with its summary as a note."
      credential="secret"
      ConnectDialog={RecorderDialog}
      parting={`What ${name} delivers from then on is refused; delete the webhook there too. What was captured stays.`}
      wayOut={(onReconnect) =>
        integration.turned_away > 0 ? (
          <Button size="sm" onClick={onReconnect}>
            Change the secret
          </Button>
        ) : null
      }
    >
      {hasSecret ? (
        <>
          <Facts
            facts={[
              [
                "Webhook address",
                <span key="address" className="flex items-start gap-1">
                  <code className="wrap-anywhere min-w-0 flex-1 font-mono text-sm leading-6">
                    {integration.webhook_url}
                  </code>
                  <CopyButton value={integration.webhook_url ?? ""} label="Copy the webhook address" size="sm" />
                </span>,
              ],
              [
                "Secret",
                secret_from === "connection"
                  ? "kept encrypted for this workspace"
                  : "of this server (FATHOM_WEBHOOK_SECRET)",
              ],
              ...(connected
                ? [
                    ["Webhook", <WebhookIndicator key="webhook" integration={integration} />] as const,
                    connectedFact(integration),
                  ]
                : []),
            ]}
          />
          <LastDeliveries
            workspaceId={workspaceId}
            provider={deliveringOf(integration)}
            canReplay={canManage}
            empty="Nothing delivered yet. Test the connection to see that it works."
          />
        </>
      ) : null}
    </IntegrationCard>
  );
}
