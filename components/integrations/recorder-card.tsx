"use client";

import { Send } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type IntegrationDetail, useIntegration } from "./calls.ts";
import { ConnectionMenu } from "./connection-menu.tsx";
import { Facts, LastDeliveries, StatusBadge, Trouble, WebhookIndicator } from "./connection-state.tsx";
import { Deliveries } from "./deliveries.tsx";
import { useSendTest } from "./delivery-calls.ts";

const RecorderDialog = dynamic(() => import("./recorder-dialog.tsx").then((module) => module.RecorderDialog), {
  ssr: false,
});
const DisconnectDialog = dynamic(() => import("./disconnect-dialog.tsx").then((module) => module.DisconnectDialog), {
  ssr: false,
});

export type RecorderCardProps = { workspaceId: string; canManage: boolean; initial: IntegrationDetail };

const FATHOM = { provider: "fathom" } as const;

/** The meeting recorder: where it delivers to, whether deliveries come in, a signed test, last deliveries. */
export function RecorderCard({ workspaceId, canManage, initial }: RecorderCardProps) {
  const { data: integration } = useIntegration(workspaceId, initial);
  const [opened, setOpened] = useState<"connect" | "disconnect" | null>(null);
  const sendTest = useSendTest(workspaceId);
  const { connected, display_name: name, message, secret_from } = integration;
  const close = () => setOpened(null);
  const hasSecret = secret_from !== null;

  async function test() {
    try {
      await sendTest.mutateAsync("fathom");
      toast.success("The signed test was taken in. It stands among the deliveries.");
    } catch (error) {
      toast.error(problemOf(error).message);
    }
  }

  return (
    <Card aria-labelledby="recorder">
      <CardHeader
        titleId="recorder"
        title={name}
        aside={<StatusBadge integration={integration} />}
        description="A recorded meeting appears on the timeline of every contact who was invited, with its summary as a note."
        actions={
          !canManage ? null : connected ? (
            <ConnectionMenu
              name={name}
              change="Change the secret…"
              onChange={() => setOpened("connect")}
              onDisconnect={() => setOpened("disconnect")}
            />
          ) : (
            <Button variant={hasSecret ? "secondary" : "primary"} onClick={() => setOpened("connect")}>
              Connect
            </Button>
          )
        }
      />
      {message ? (
        <Trouble
          message={message}
          action={
            canManage && connected && integration.turned_away > 0 ? (
              <Button size="sm" onClick={() => setOpened("connect")}>
                Change the secret
              </Button>
            ) : null
          }
        />
      ) : null}
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
                ? ([
                    ["Webhook", <WebhookIndicator key="webhook" integration={integration} />],
                    [
                      "Connected",
                      <span key="connected">
                        {integration.connected_at ? <RelativeTime value={integration.connected_at} /> : null}
                        {integration.connected_by ? ` by ${integration.connected_by}` : null}
                      </span>,
                    ],
                  ] as const)
                : []),
            ]}
          />
          <LastDeliveries
            action={
              canManage ? (
                <Button size="sm" loading={sendTest.isPending} onClick={() => void test()}>
                  <Send aria-hidden="true" /> Send signed test
                </Button>
              ) : null
            }
          >
            <Deliveries
              workspaceId={workspaceId}
              canReplay={canManage}
              filter={FATHOM}
              limit={5}
              moreHref={`/${workspaceId}/integrations/deliveries?provider=fathom`}
              empty="Nothing was delivered yet. Send a signed test to see that it works."
            />
          </LastDeliveries>
        </>
      ) : canManage ? null : (
        <p className="border-t px-4 py-3 text-muted-foreground text-sm">
          An administrator of the workspace can connect it.
        </p>
      )}
      {opened === "connect" ? (
        <RecorderDialog workspaceId={workspaceId} integration={integration} onClose={close} />
      ) : null}
      {opened === "disconnect" ? (
        <DisconnectDialog
          workspaceId={workspaceId}
          integration={integration}
          description={`What ${name} delivers from then on is refused; delete the webhook there too. What was captured stays.`}
          onClose={close}
        />
      ) : null}
    </Card>
  );
}
