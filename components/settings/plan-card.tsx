import { Check, Minus } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { features, type Plan, planFeatures, planHas, planNames, plans } from "#lib/core/plans.ts";

/** What the operator runs to change a plan. */
export const setPlanCommand = (workspaceId: string, plan: Plan): string =>
  `npx rapport admin workspace set-plan ${workspaceId} ${plan}`;

export function PlanCard({ workspaceId, plan }: { workspaceId: string; plan: Plan }) {
  const other: Plan = plan === "scale" ? "growth" : "scale";
  return (
    <Card aria-labelledby="plan">
      <CardHeader
        titleId="plan"
        title="Plan"
        aside={<Badge tone="accent">{planNames[plan]}</Badge>}
        description={`One of ${plans.map((each) => planNames[each]).join(", ")}. It sets which features this workspace has.`}
      />
      <ul>
        {features.map((feature) => {
          const { name, plan: needed } = planFeatures[feature];
          const has = planHas(plan, feature);
          return (
            <li key={feature} className="flex min-h-10 items-center gap-3 border-t px-4 py-1.5">
              {has ? (
                <Check aria-label="Included" className="size-4 shrink-0 text-success-text" />
              ) : (
                <Minus aria-label="Not included" className="size-4 shrink-0 text-muted-foreground" />
              )}
              <span className={has ? "min-w-0 flex-1" : "min-w-0 flex-1 text-muted-foreground"}>{name}</span>
              {has ? null : <span className="text-muted-foreground text-sm">needs {planNames[needed]}</span>}
            </li>
          );
        })}
      </ul>
      <CardBody className="flex flex-col gap-2">
        <p className="text-muted-foreground text-sm">
          The person who runs this server changes the plan on its command line. It applies from the next request. A
          lower plan hides what it does not have and deletes nothing: with the higher plan everything is there again.
        </p>
        <CodeBlock code={setPlanCommand(workspaceId, other)} />
      </CardBody>
    </Card>
  );
}
