import { Check, Minus } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { type Plan, planIncludes, plans } from "#lib/core/plans.ts";

const features: readonly { label: string; needed: Plan }[] = [
  { label: "GTM profile, people, companies and notes", needed: "free" },
  { label: "API keys and agents", needed: "free" },
  { label: "CRM sync", needed: "growth" },
  { label: "Lead lists and the leads API", needed: "scale" },
];

const names: Record<Plan, string> = { free: "Free", growth: "Growth", scale: "Scale" };

export function PlanCard({ workspaceId, plan }: { workspaceId: string; plan: Plan }) {
  const other = plan === "scale" ? "growth" : "scale";
  return (
    <Card aria-labelledby="plan">
      <CardHeader
        titleId="plan"
        title="Plan"
        aside={<Badge tone="accent">{names[plan]}</Badge>}
        description={`Of ${plans.map((each) => names[each]).join(", ")}. It says which features this workspace has.`}
      />
      <ul>
        {features.map(({ label, needed }) => {
          const has = planIncludes(plan, needed);
          return (
            <li key={label} className="flex min-h-10 items-center gap-3 border-t px-4 py-1.5">
              {has ? (
                <Check aria-label="Included" className="size-4 shrink-0 text-success-text" />
              ) : (
                <Minus aria-label="Not included" className="size-4 shrink-0 text-muted-foreground" />
              )}
              <span className={has ? "min-w-0 flex-1" : "min-w-0 flex-1 text-muted-foreground"}>{label}</span>
              {has ? null : <span className="text-muted-foreground text-sm">needs {names[needed]}</span>}
            </li>
          );
        })}
      </ul>
      <CardBody className="flex flex-col gap-2">
        <p className="text-muted-foreground text-sm">
          The operator of this server changes the plan on its command line. It applies from the next request.
        </p>
        <CodeBlock code={`npx rapport admin workspace set-plan ${workspaceId} ${other}`} />
      </CardBody>
    </Card>
  );
}
