"use client";

import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import type { MintAnswer } from "#lib/domain/access/api-keys/contract.ts";
import { type Activity, useActivity } from "./activity.ts";
import { AgentTabs } from "./agent-tabs.tsx";
import { firstQuestion, instructions } from "./instructions.ts";
import { KeyStep } from "./key-step.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { type SignIn, setups } from "./setups.ts";
import { Step } from "./step.tsx";

export type ConnectAgentProps = {
  workspaceId: string;
  canMint: boolean;
  /** How many working keys there are. */
  keyCount: number;
  activity: Activity;
  /** This server's own address. */
  origin: string;
  /** The ICP is written. */
  hasIcp: boolean;
};

const signIns = [
  { value: "browser", label: "In the browser", hint: "The agent opens a page; you choose what it may do." },
  { value: "key", label: "With an API key", hint: "For n8n, scripts, servers, and agents without a browser." },
] as const satisfies readonly { value: SignIn; label: string; hint: string }[];

export function ConnectAgent({ workspaceId, canMint, keyCount, activity, origin, hasIcp }: ConnectAgentProps) {
  const [signIn, setSignIn] = useState<SignIn>("browser");
  const [agent, setAgent] = useState(setups[0]?.id ?? "");
  const [minted, setMinted] = useState<MintAnswer | null>(null);
  const { data, isError } = useActivity(workspaceId, activity);
  const since = minted?.key.created_at ?? null;
  const called = data.last_used_at !== null && (since === null || data.last_used_at >= since);
  const file = setups.find(({ id }) => id === agent)?.instructions ?? "Instructions or system prompt";
  return (
    <ol className="flex flex-col">
      <Step number={1} title="Choose how it signs in" done={signIn === "browser" || minted !== null}>
        <RadioGroup
          aria-label="How the agent signs in"
          options={signIns}
          value={signIn}
          onValueChange={setSignIn}
          className="sm:flex-row sm:gap-6"
        />
        {signIn === "key" ? (
          <KeyStep
            workspaceId={workspaceId}
            canMint={canMint}
            existing={keyCount}
            minted={minted}
            onMinted={setMinted}
          />
        ) : null}
      </Step>
      <Step number={2} title="Add Rapport to your agent" done={called}>
        <AgentTabs origin={origin} apiKey={minted?.api_key ?? null} signIn={signIn} agent={agent} onAgent={setAgent} />
      </Step>
      <Step number={3} title="Make the first call" done={called}>
        <CodeBlock title="Say to your agent" code={firstQuestion} wrap />
        <LiveIndicator activity={data} since={since} unreachable={isError} />
      </Step>
      <Step number={4} title="Tell it when to use Rapport" done={data.at_work}>
        <CodeBlock title={file} code={instructions} wrap />
      </Step>
      <Step number={5} title="Write your ICP" done={hasIcp} last>
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
