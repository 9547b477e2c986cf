"use client";

import { type ComponentType, type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { IntegrationDetail } from "./calls.ts";
import { ConnectionMenu } from "./connection-menu.tsx";
import { StatusBadge, Trouble } from "./connection-state.tsx";

const DisconnectDialog = onDemand("“Disconnect”", () =>
  import("./disconnect-dialog.tsx").then((module) => module.DisconnectDialog),
);

export type ConnectDialogProps = { workspaceId: string; integration: IntegrationDetail; onClose: () => void };

type IntegrationCardProps = {
  workspaceId: string;
  canManage: boolean;
  integration: IntegrationDetail;
  description: string;
  /** The credential, which can be replaced. */
  credential: "key" | "secret";
  connectVariant?: ButtonProps["variant"];
  /** Asks for the credential, at first and when it is replaced. */
  ConnectDialog: ComponentType<ConnectDialogProps>;
  /** The consequences of disconnecting. */
  parting: string;
  /** Shown beside a problem, to those who may act on it. */
  wayOut: (onReconnect: () => void) => ReactNode;
  /** Null while there is nothing to show. */
  children: ReactNode;
};

/** An integration: whether it is connected and works, and for administrators the ways to change that. */
export function IntegrationCard({
  workspaceId,
  canManage,
  integration,
  description,
  credential,
  connectVariant = "primary",
  ConnectDialog,
  parting,
  wayOut,
  children,
}: IntegrationCardProps) {
  const [opened, setOpened] = useState<"connect" | "disconnect" | null>(null);
  const { connected, display_name: name, message, provider } = integration;
  const connect = () => setOpened("connect");
  const dialog = { workspaceId, integration, onClose: () => setOpened(null) };
  return (
    <Card aria-labelledby={provider}>
      <CardHeader
        titleId={provider}
        title={name}
        aside={<StatusBadge integration={integration} />}
        description={description}
        actions={
          !canManage ? null : connected ? (
            <ConnectionMenu
              name={name}
              change={`Change the ${credential}…`}
              onChange={connect}
              onDisconnect={() => setOpened("disconnect")}
            />
          ) : (
            <Button variant={connectVariant} onClick={connect}>
              Connect
            </Button>
          )
        }
      />
      {message ? <Trouble message={message} action={canManage && connected ? wayOut(connect) : null} /> : null}
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
