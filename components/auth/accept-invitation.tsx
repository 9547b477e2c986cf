"use client";

import { useState } from "react";
import { ApiError, callUser } from "#components/api.ts";
import { acceptInvitation } from "#components/operations/members.ts";
import { failureOf } from "#components/ui/failure.ts";
import { FormAlert } from "./form-alert.tsx";
import { leaveFor } from "./leave.ts";
import { SubmitButton } from "./submit-button.tsx";

export function AcceptInvitation({ token, workspaceName }: { token: string; workspaceName: string }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function accept() {
    setBusy(true);
    setFailure(null);
    try {
      const { workspace_id } = await callUser(acceptInvitation, { token });
      await leaveFor(`/${workspace_id}/home`);
    } catch (error) {
      if (error instanceof ApiError && error.code === "already_member") return void leaveFor("/");
      setFailure(failureOf(error));
      setBusy(false);
    }
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void accept();
      }}
    >
      <FormAlert>{failure}</FormAlert>
      <SubmitButton busy={busy} size="lg">
        Join {workspaceName}
      </SubmitButton>
    </form>
  );
}
