"use client";

import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { MintForm } from "#components/api-keys/mint-form.tsx";
import { Reveal } from "#components/api-keys/reveal.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import type { MintAnswer } from "#lib/domain/access/api-keys/contract.ts";

type KeyStepProps = {
  workspaceId: string;
  canMint: boolean;
  /** How many working keys there are. */
  existing: number;
  minted: MintAnswer | null;
  onMinted: (minted: MintAnswer) => void;
};

export function KeyStep({ workspaceId, canMint, existing, minted, onMinted }: KeyStepProps) {
  const [another, setAnother] = useState(existing === 0);
  const [withOptions, setWithOptions] = useState(false);
  const keysPage = `/${workspaceId}/api-keys`;
  if (minted) return <Reveal minted={minted} />;
  if (!canMint) {
    return (
      <p className="text-muted-foreground">
        Ask an administrator of this workspace for a key; keys are listed under{" "}
        <Link href={keysPage} className="text-primary-text underline underline-offset-4">
          API keys
        </Link>
        .
      </p>
    );
  }
  if (!another) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-muted-foreground">
          {existing === 1 ? "One key works" : `${existing} keys work`} in this workspace. Use{" "}
          <Link href={keysPage} className="text-primary-text underline underline-offset-4">
            {existing === 1 ? "it" : "one of them"}
          </Link>
          , or give the new agent its own.
        </p>
        <Button onClick={() => setAnother(true)}>Create a key</Button>
      </div>
    );
  }
  return (
    <Card>
      <MintForm workspaceId={workspaceId} suggestedName="My agent" onMinted={onMinted}>
        {({ name, options, failure, submit, optionRefused }) => (
          <div className="flex flex-col gap-4 p-4">
            {name}
            <Button
              variant="ghost"
              size="sm"
              className="-ml-2 self-start"
              aria-expanded={withOptions || optionRefused}
              onClick={() => setWithOptions(!withOptions)}
            >
              <ChevronRight aria-hidden="true" className={cn("transition-transform", withOptions && "rotate-90")} />
              Access, expiry and addresses
            </Button>
            {withOptions || optionRefused ? options : null}
            {failure}
            <div>{submit}</div>
          </div>
        )}
      </MintForm>
    </Card>
  );
}
