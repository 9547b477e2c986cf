import { Lock } from "lucide-react";
import Link from "next/link";
import { setPlanCommand } from "#components/settings/plan-card.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { type Feature, type Plan, planFeatures, planNames } from "#lib/core/plans.ts";

type UpgradePanelProps = {
  workspaceId: string;
  plan: Plan;
  feature: Feature;
  /** The reader may open the page of the plans. */
  canCompare?: boolean;
};

/** In place of a page whose feature the workspace's plan lacks: what it is, which plan has it, and how to get it. */
export function UpgradePanel({ workspaceId, plan, feature, canCompare = false }: UpgradePanelProps) {
  const { name, about, plan: needed } = planFeatures[feature];
  return (
    <Card aria-labelledby="upgrade">
      <CardHeader
        titleId="upgrade"
        title={name}
        aside={<Badge tone="accent">{planNames[needed]}</Badge>}
        description={`With it you can ${about}`}
      />
      <CardBody className="flex flex-col gap-3">
        <p className="flex max-w-prose gap-2.5">
          <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
          <span>
            This needs the {planNames[needed]} plan; this workspace is on {planNames[plan]}. Anything you made before is
            kept and comes back with the upgrade.
          </span>
        </p>
        <p className="text-muted-foreground text-sm">
          The person who runs this server can change the plan on its command line:
        </p>
        <CodeBlock code={setPlanCommand(workspaceId, needed)} />
        {canCompare ? (
          <Button asChild variant="secondary" className="self-start">
            <Link href={`/${workspaceId}/settings/plan`}>Compare the plans</Link>
          </Button>
        ) : null}
      </CardBody>
    </Card>
  );
}
