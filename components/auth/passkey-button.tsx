"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { failureOf } from "#components/ui/failure.ts";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import type { PasskeyUse } from "./passkey.ts";

type PasskeyButtonProps = {
  label: string;
  use: PasskeyUse;
  size?: "lg";
  /** What is done with the passkey's answer; stays busy until then. */
  onAnswer: (answer: PasskeyAnswer) => Promise<void>;
  onFailure: (message: string | null) => void;
};

/** Asks for a passkey. */
export function PasskeyButton({ label, use, size, onAnswer, onFailure }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false);

  async function ask() {
    setBusy(true);
    onFailure(null);
    try {
      const { askForPasskey } = await import("./passkey.ts");
      await onAnswer(await askForPasskey(use));
    } catch (error) {
      onFailure(failureOf(error));
    }
    setBusy(false);
  }

  return (
    <Button {...(size ? { size } : {})} loading={busy} onClick={() => void ask()}>
      <KeyRound aria-hidden="true" /> {label}
    </Button>
  );
}
