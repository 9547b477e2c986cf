"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ApiError, callUser } from "#components/api.ts";
import { accessLevels, levelOf, scopesOf } from "#components/api-keys/access.ts";
import { approveDeviceLogin, denyDeviceLogin } from "#components/operations/device-logins.ts";
import { Button } from "#components/ui/button.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { Field } from "#components/ui/field.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Scope } from "#lib/core/plans.ts";
import { FormAlert } from "./form-alert.tsx";
import { SubmitButton } from "./submit-button.tsx";

type Workspace = { id: string; name: string; scopes: readonly Scope[] };

export type DeviceDecisionProps = {
  userCode: string;
  /** What the program asks for. */
  asked: readonly Scope[];
  workspaces: readonly Workspace[];
};

/** Which workspace the program may work in and what it may do there, and the two buttons. */
export function DeviceDecision({ userCode, asked, workspaces }: DeviceDecisionProps) {
  const router = useRouter();
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? "");
  const [level, setLevel] = useState<Scope>(levelOf(asked));
  const [busy, setBusy] = useState<"approve" | "deny" | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const allowed = workspaces.find(({ id }) => id === workspaceId)?.scopes ?? [];
  const levels = accessLevels.filter(({ value }) => allowed.includes(value));
  const granted = levels.some(({ value }) => value === level) ? level : levelOf(allowed);

  async function decide(what: "approve" | "deny") {
    setBusy(what);
    setFailure(null);
    try {
      const user_code = userCode;
      if (what === "deny") await callUser(denyDeviceLogin, { user_code });
      else await callUser(approveDeviceLogin, { user_code, workspace_id: workspaceId, scopes: scopesOf(granted) });
      router.refresh(); // the page says how it ended
    } catch (error) {
      if (error instanceof ApiError && error.code === "login_decided") return void router.refresh();
      setFailure(failureOf(error));
      setBusy(null);
    }
  }

  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void decide("approve");
      }}
    >
      <Field label="Workspace">
        <Select
          options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          value={workspaceId}
          onValueChange={setWorkspaceId}
        />
      </Field>
      <Field label="Access">
        <RadioGroup options={levels} value={granted} onValueChange={setLevel} />
      </Field>
      <FormAlert>{failure}</FormAlert>
      <div className="grid grid-cols-2 gap-2">
        <Button size="lg" loading={busy === "deny"} disabled={busy !== null} onClick={() => void decide("deny")}>
          Deny
        </Button>
        <SubmitButton size="lg" busy={busy === "approve"} disabled={busy !== null}>
          Approve
        </SubmitButton>
      </div>
    </form>
  );
}
