"use client";

import { useState } from "react";
import { callOperation } from "#components/api.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { SubmitButton } from "#components/auth/submit-button.tsx";
import { setSignInDemand } from "#components/operations/sign-in-demand.ts";
import { useSubmit } from "#components/records/use-submit.ts";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { SignInDemand } from "#lib/core/sign-in-demands.ts";

type SignInDemandCardProps = {
  workspaceId: string;
  initial: { demand: SignInDemand; of_server: SignInDemand; oidc: string | null };
  canChange: boolean;
};

const demandOfServer = ({ of_server, oidc }: SignInDemandCardProps["initial"]): string =>
  `The operator of this server requires ${of_server === "oidc" ? `a sign-in with ${oidc ?? "OIDC"}` : "a second factor"} in every workspace.`;

/** How members must have signed in to open the workspace. */
export function SignInDemandCard({ workspaceId, initial, canChange }: SignInDemandCardProps) {
  const [saved, setSaved] = useState(initial.demand);
  const [demand, setDemand] = useState(saved);
  const { submit, busy, problem } = useSubmit(async () => {
    await callOperation(setSignInDemand, workspaceId, { demand });
    setSaved(demand);
    toast.success("How members sign in is saved.", {
      description: initial.of_server === "any" ? undefined : `${demandOfServer(initial)} That stays.`,
    });
  });

  const disabled = !canChange;
  return (
    <Card aria-labelledby="sign-in-demand">
      <CardHeader
        titleId="sign-in-demand"
        title="Signing in"
        description={
          canChange
            ? "Members who have not signed in like this are asked to. API keys and connected clients keep working."
            : "Admins can change how members must sign in."
        }
      />
      <CardBody>
        <form onSubmit={submit} className="flex flex-col gap-4">
          <RadioGroup<SignInDemand>
            aria-label="How members must sign in"
            value={demand}
            onValueChange={setDemand}
            options={[
              {
                value: "any",
                label: "Any way",
                hint: "Each member chooses whether to have a second factor.",
                disabled,
              },
              {
                value: "second_factor",
                label: "With a second factor",
                hint: "A passkey, or a code of an app. Also after a sign-in with a provider.",
                disabled,
              },
              {
                value: "oidc",
                label: initial.oidc ? `With ${initial.oidc} only` : "With an OIDC provider only",
                hint: initial.oidc
                  ? "Passwords, passkeys and other providers do not open this workspace."
                  : "This server has none: its operator sets OIDC_ISSUER or OIDC_PROVIDERS.",
                disabled: disabled || (initial.oidc === null && saved !== "oidc"),
              },
            ]}
          />
          {initial.of_server === "any" ? null : (
            <p className="text-muted-foreground text-sm">
              {demandOfServer(initial)} What you choose here does not change that; only the operator can.
            </p>
          )}
          <FormAlert>{problem}</FormAlert>
          {canChange ? (
            <SubmitButton busy={busy} disabled={demand === saved} className="self-start">
              Save
            </SubmitButton>
          ) : null}
        </form>
      </CardBody>
    </Card>
  );
}
