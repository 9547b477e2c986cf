"use client";

import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { type IntegrationDetail, useIntegration } from "./calls.ts";
import { connectedFact, Facts } from "./connection-state.tsx";
import { type CrmSyncs, useCrmSync } from "./crm-calls.ts";
import { CrmPanel } from "./crm-panel.tsx";
import { IntegrationCard } from "./integration-card.tsx";

const CrmDialog = onDemand("“Connect”", () => import("./crm-dialog.tsx").then((module) => module.CrmDialog));

export type CrmCardProps = {
  workspaceId: string;
  canManage: boolean;
  initial: IntegrationDetail;
  /** Null when the plan has no CRM sync. */
  syncs: CrmSyncs | null;
};

/** A CRM: connected or not, what is pushed to it, and how the latest run went. */
export function CrmCard({ workspaceId, canManage, initial, syncs }: CrmCardProps) {
  const { data: integration } = useIntegration(workspaceId, initial);
  const { display_name: name, connected } = integration;
  return (
    <IntegrationCard
      workspaceId={workspaceId}
      canManage={canManage}
      integration={integration}
      description={`Contacts, stages, notes and activities are pushed to ${name}, each once.`}
      credential="key"
      ConnectDialog={CrmDialog}
      parting={`Nothing more is pushed to ${name}. What is there stays, and connecting again pushes nothing twice.`}
      wayOut={(onReconnect) =>
        integration.is_verified ? null : (
          <Button size="sm" onClick={onReconnect}>
            Change the key
          </Button>
        )
      }
    >
      {syncs === null ? (
        <p className="border-t px-4 py-3 text-muted-foreground text-sm">
          CRM sync needs the Growth plan.
          {canManage ? (
            <>
              {" "}
              <Link href={`/${workspaceId}/settings/plan`} className="rounded-xs underline underline-offset-2">
                See your plan
              </Link>
            </>
          ) : null}
        </p>
      ) : connected ? (
        <Connected workspaceId={workspaceId} canManage={canManage} integration={integration} syncs={syncs} />
      ) : null}
    </IntegrationCard>
  );
}

type ConnectedProps = { workspaceId: string; canManage: boolean; integration: IntegrationDetail; syncs: CrmSyncs };

function Connected({ workspaceId, canManage, integration, syncs }: ConnectedProps) {
  const { data } = useCrmSync(workspaceId, syncs);
  const crm = data.crms.find(({ provider }) => provider === integration.provider);
  return (
    <>
      <Facts
        facts={[
          ["Account", integration.account ?? "unknown"],
          connectedFact(integration),
          ["Linked", `${numeral(crm?.linked ?? 0)} ${crm?.linked === 1 ? "person" : "people"}`],
        ]}
      />
      {crm ? (
        <CrmPanel workspaceId={workspaceId} canManage={canManage} crm={crm} problem={integration.message} />
      ) : null}
    </>
  );
}
