"use client";

import { ShieldAlert, ShieldCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { callUser } from "#components/api.ts";
import { approvalChoices } from "#components/approvals/modes.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { leaveFor } from "#components/auth/leave.ts";
import { SubmitButton } from "#components/auth/submit-button.tsx";
import { decideAuthorization } from "#components/operations/oauth.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { Field } from "#components/ui/field.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { Select } from "#components/ui/select.tsx";
import type { ApprovalMode, Scope } from "#lib/core/plans.ts";
import type { AuthorizationRequest } from "#lib/domain/access/oauth/contract.ts";
import { CONNECTION_DAYS, REFRESH_DAYS } from "#lib/domain/access/oauth/words.ts";
import { placeWords, scopeWords } from "./words.ts";

export type ConsentProps = {
  client: { name: string; host: string; selfRegistered: boolean };
  /** Where the answer goes. */
  answersTo: string;
  request: AuthorizationRequest;
  workspaces: { id: string; name: string; role: string; scopes: Scope[] }[];
};

/** The usual one first. */
const consentChoices = approvalChoices.toSorted(
  (one, other) => Number(other.value === "human_fields") - Number(one.value === "human_fields"),
);

/** What a client asks for, and the member's answer. The answer is sent to the client by leaving for its address. */
export function Consent({ client, answersTo, request, workspaces }: ConsentProps) {
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? "");
  const [left, setLeft] = useState<readonly Scope[]>([]);
  const [mode, setMode] = useState<ApprovalMode>("human_fields");
  const [deciding, setDeciding] = useState<"approve" | "deny" | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const asked = workspaces.find(({ id }) => id === workspaceId)?.scopes ?? [];
  const scopes = asked.filter((scope) => scope === "read" || !left.includes(scope));
  const mayWrite = scopes.includes("write");

  /** Without write there is no admin, which includes it. */
  function choose(scope: Scope, wanted: boolean) {
    if (scope === "write") setLeft(wanted ? left.filter((each) => each !== "write") : ["write", "admin"]);
    else setLeft(wanted ? [] : [...left, scope]);
  }

  async function decide(approve: boolean) {
    setDeciding(approve ? "approve" : "deny");
    setFailure(null);
    try {
      const { redirect_to } = await callUser(decideAuthorization, {
        request,
        approve,
        ...(approve ? { workspace_id: workspaceId, scopes, approval: mode } : {}),
      });
      await leaveFor(redirect_to);
    } catch (error) {
      setFailure(failureOf(error));
      setDeciding(null);
    }
  }

  const Shield = client.selfRegistered ? ShieldAlert : ShieldCheck;
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void decide(true);
      }}
    >
      <div className="flex gap-2.5 rounded-md border bg-muted/30 px-3 py-2.5 text-sm">
        <Shield aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
        <p className="wrap-anywhere">
          {client.selfRegistered ? (
            <>
              It registered itself, and its name has not been checked. It runs{" "}
              {placeWords(client.host, "this computer")}. Approve only if you have just started this yourself.
            </>
          ) : (
            <>
              It is published by <strong className="font-medium">{client.host}</strong>
              {answersTo === client.host ? "." : ` and runs ${placeWords(answersTo, "this computer")}.`} Approve only if
              you have just started this yourself.
            </>
          )}
        </p>
      </div>
      {workspaces.length > 1 ? (
        <Field label="Workspace">
          <Select
            options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            value={workspaceId}
            onValueChange={setWorkspaceId}
          />
        </Field>
      ) : (
        <p>
          Workspace: <strong className="wrap-anywhere font-medium">{workspaces[0]?.name}</strong>
        </p>
      )}
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-2 font-medium">It may</legend>
        {asked.map((scope) => (
          <Checkbox
            key={scope}
            label={scopeWords[scope].label}
            hint={scopeWords[scope].hint}
            checked={scopes.includes(scope)}
            disabled={scope === "read"}
            onCheckedChange={(checked) => choose(scope, checked === true)}
          />
        ))}
      </fieldset>
      {mayWrite ? (
        <Field label="When it writes">
          <RadioGroup options={consentChoices} value={mode} onValueChange={setMode} />
        </Field>
      ) : null}
      <FormAlert>{failure}</FormAlert>
      <div className="flex flex-col gap-2 sm:flex-row-reverse">
        <SubmitButton busy={deciding === "approve"} disabled={deciding === "deny"} size="lg" className="sm:flex-1">
          Approve
        </SubmitButton>
        <Button
          size="lg"
          className="sm:flex-1"
          loading={deciding === "deny"}
          disabled={deciding === "approve"}
          onClick={() => void decide(false)}
        >
          Deny
        </Button>
      </div>
      <p className="text-pretty text-muted-foreground text-sm">
        You can change this, or disconnect it, at any time under Settings, Connected clients. It also ends after{" "}
        {REFRESH_DAYS} days without use, and after {CONNECTION_DAYS} days in any case.
      </p>
    </form>
  );
}
