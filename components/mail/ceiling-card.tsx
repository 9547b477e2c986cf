"use client";

import { useState } from "react";
import { callOperation } from "#components/api.ts";
import { setMailCeiling } from "#components/operations/sharing.ts";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { ShareSelect } from "./share-select.tsx";
import { shareWords } from "./share-words.ts";

type MailCeilingCardProps = { workspaceId: string; initial: ShareLevel; canChange: boolean };

/** The most of their mail that members may share. */
export function MailCeilingCard({ workspaceId, initial, canChange }: MailCeilingCardProps) {
  const [saved, setSaved] = useState(initial);
  const [busy, setBusy] = useState(false);

  async function choose(share: ShareLevel) {
    setBusy(true);
    try {
      await callOperation(setMailCeiling, workspaceId, { share });
      setSaved(share);
      toast.success(`Members can now share: ${shareWords[share].label.toLowerCase()}.`);
    } catch (error) {
      toastProblem(error);
    }
    setBusy(false);
  }

  return (
    <Card aria-labelledby="mail-ceiling">
      <CardHeader
        titleId="mail-ceiling"
        title="Mail"
        description="How much of their mail members can share with the workspace. It applies at once, also to existing mail. What a member does not share stays private."
      />
      <CardBody>
        <ShareSelect
          aria-label="How much of their mail members can share"
          value={saved}
          onChange={(share) => void choose(share)}
          disabled={!canChange || busy}
          className="w-48"
        />
      </CardBody>
    </Card>
  );
}
