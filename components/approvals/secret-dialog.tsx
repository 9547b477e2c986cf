"use client";

import { SigningSecret } from "#components/triggers/signing-secret.tsx";
import { Dialog } from "#components/ui/dialog.tsx";

/** The signing secret of a trigger that was just approved: the agent that asked for it never sees it. */
export const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog open>
    <SigningSecret title="Approved: the signing secret" secret={secret} onDone={onClose} />
  </Dialog>
);
