"use client";

import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import type { Minted } from "#lib/domain/api-keys/contract.ts";
import { type Activity, useActivity } from "./activity.ts";
import { AgentTabs } from "./agent-tabs.tsx";
import { KeyStep } from "./key-step.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { Step } from "./step.tsx";

export type ConnectAgentProps = {
  workspaceId: string;
  canMint: boolean;
  /** How many working keys there are. */
  keyCount: number;
  activity: Activity;
  /** This server's own address. */
  origin: string;
};

export function ConnectAgent({ workspaceId, canMint, keyCount, activity, origin }: ConnectAgentProps) {
  const [minted, setMinted] = useState<Minted | null>(null);
  const { data, isError } = useActivity(workspaceId, activity);
  const since = minted?.key.created_at ?? null;
  const called = data.last_used_at !== null && (since === null || data.last_used_at >= since);
  return (
    <ol className="flex flex-col">
      <Step number={1} title="Create an API key" done={minted !== null || keyCount > 0}>
        <KeyStep workspaceId={workspaceId} canMint={canMint} existing={keyCount} minted={minted} onMinted={setMinted} />
      </Step>
      <Step number={2} title="Tell your agent about it" done={called}>
        <LiveIndicator activity={data} since={since} unreachable={isError} />
        <AgentTabs origin={origin} apiKey={minted?.api_key ?? null} />
      </Step>
      <Step number={3} title="Write your ICP" done={false} last>
        <p className="text-muted-foreground">
          Say who you sell to in two or three sentences. Every connected agent reads it from then on.
        </p>
        <div>
          <Button asChild variant={called ? "primary" : "secondary"}>
            <Link href={`/${workspaceId}/gtm-context?section=ICP`}>
              Open GTM Context <ArrowRight aria-hidden="true" />
            </Link>
          </Button>
        </div>
      </Step>
    </ol>
  );
}
