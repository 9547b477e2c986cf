"use client";

import { SecretContent } from "#components/triggers/secret-dialog.tsx";
import { Dialog } from "#components/ui/dialog.tsx";

/** The signing secret of a trigger that was just approved: the agent that asked for it never sees it. */
export const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
    <SecretContent title="Approved: the signing secret" secret={secret} />
  </Dialog>
);
