"use client";

import { type ComponentType, type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { IntegrationDetail } from "./calls.ts";
import { ConnectionMenu } from "./connection-menu.tsx";
import { AddressNote, StatusBadge, Trouble } from "./connection-state.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import { TestResult } from "./test-result.tsx";
import { useConnectionTest } from "./use-connection-test.ts";

const DisconnectDialog = onDemand("“Disconnect”", () =>
  import("./disconnect-dialog.tsx").then((module) => module.DisconnectDialog),
);

export type ConnectDialogProps = { workspaceId: string; integration: IntegrationDetail; onClose: () => void };

type IntegrationCardProps = {
  workspaceId: string;
  canManage: boolean;
  integration: IntegrationDetail;
  description: string;
  /** The credential, which can be replaced; a key can be asked about. */
  credential: "key" | "secret";
  /** Asks for the credential, at first and when it is replaced. */
  ConnectDialog: ComponentType<ConnectDialogProps>;
  /** The consequences of disconnecting. */
  parting: string;
  /** Shown beside a problem, to those who may act on it. */
  wayOut: (onReconnect: () => void) => ReactNode;
  /** Null while there is nothing to show. */
  children: ReactNode;
};

/** An integration: whether it is connected and works. Administrators have the same actions on each: connect, test, change, disconnect. */
export function IntegrationCard({
  workspaceId,
  canManage,
  integration,
  description,
  credential,
  ConnectDialog,
  parting,
  wayOut,
  children,
}: IntegrationCardProps) {
  const [opened, setOpened] = useState<"connect" | "disconnect" | null>(null);
  const { connected, display_name: name, message, provider, secret_from } = integration;
  const test = useConnectionTest(workspaceId, integration, credential === "key");
  const connect = () => setOpened("connect");
  const dialog = { workspaceId, integration, onClose: () => setOpened(null) };
  return (
    <Card aria-labelledby={provider}>
      <div className="flex items-start">
        <span className="pt-2.5 pl-4">
          <ProviderMark provider={provider} />
        </span>
        <CardHeader
          className="min-w-0 flex-1 pl-3"
          titleId={provider}
          title={name}
          aside={<StatusBadge integration={integration} />}
          description={description}
          actions={
            canManage ? (
              <>
                {connected || secret_from !== null ? (
                  <Button loading={test.isRunning} aria-label={`Test ${name}`} onClick={() => void test.run()}>
                    Test
                  </Button>
                ) : null}
                {connected ? (
                  <ConnectionMenu
                    name={name}
                    change={`Change the ${credential}…`}
                    onChange={connect}
                    onDisconnect={() => setOpened("disconnect")}
                  />
                ) : (
                  <Button onClick={connect}>Connect</Button>
                )}
              </>
            ) : null
          }
        />
      </div>
      {message ? (
        <Trouble message={message} action={canManage && connected ? wayOut(connect) : null} />
      ) : canManage ? (
        <AddressNote integration={integration} />
      ) : null}
      <TestResult lines={test.lines} />
      {children ??
        (canManage ? null : (
          <p className="border-t px-4 py-3 text-muted-foreground text-sm">
            An administrator of the workspace can connect it.
          </p>
        ))}
      {opened === "connect" ? <ConnectDialog {...dialog} /> : null}
      {opened === "disconnect" ? <DisconnectDialog {...dialog} description={parting} /> : null}
    </Card>
  );
}
