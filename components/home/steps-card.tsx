"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { checksQuery } from "#components/settings/check-calls.ts";
import { ChecksLine } from "#components/settings/checks-line.tsx";
import { Card } from "#components/ui/card.tsx";
import { homeCallsOf, type Status } from "./calls.ts";
import { HomeCard, useCard } from "./home-card.tsx";

/** Where a step is done in the app; a step without its own page says how. */
const places: Readonly<Record<string, string>> = {
  write_icp: "gtm-context?edit=icp",
  complete_onboarding: "settings/workspace",
  write_playbook: "gtm-context",
  confirm_facts: "gtm-context",
  build_scoring_model: "settings/scoring",
  add_people: "people?new=1",
  set_trigger: "triggers?new=1",
  resume_triggers: "triggers",
};

type StepsCardProps = { workspaceId: string; initial: Status; readAt: number };

/** What is left to set up, and whether something needs a look; hidden when nothing does. */
export function StepsCard({ workspaceId, initial, readAt }: StepsCardProps) {
  const query = useCard(workspaceId, "status", initial, readAt, homeCallsOf(workspaceId).status);
  const checks = useQuery(checksQuery(workspaceId)).data;
  const steps = query.data.next_steps;
  const look = checks && checks.state !== "fine" ? <ChecksLine workspaceId={workspaceId} checks={checks} /> : null;
  if (steps.length === 0 && !query.error) return look && <Card aria-label="Checks">{look}</Card>;
  return (
    <HomeCard title="Set up" aside={<span className="text-muted-foreground">{steps.length} left</span>} query={query}>
      <ol className="divide-y">
        {steps.map((step) => {
          const place = places[step.id];
          return (
            <li key={step.id} className="group/step relative flex items-start gap-3 px-4 py-2.5 hover:bg-hover/60">
              <div className="min-w-0 flex-1">
                {place ? (
                  <Link
                    data-writes="shown"
                    href={`/${workspaceId}/${place}`}
                    className="font-medium after:absolute after:inset-0"
                  >
                    {step.title}
                  </Link>
                ) : (
                  <span className="font-medium">{step.title}</span>
                )}
                <p className="text-pretty text-muted-foreground text-sm">{step.why}</p>
                {place ? null : <p className="text-pretty text-muted-foreground text-sm">{step.how}</p>}
              </div>
              {place ? (
                <ArrowRight aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
              ) : null}
            </li>
          );
        })}
      </ol>
      {look && <div className="border-t">{look}</div>}
    </HomeCard>
  );
}
