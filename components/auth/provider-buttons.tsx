"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { signInWithProvider } from "./auth-client.ts";
import { FormAlert } from "./form-alert.tsx";

export type ProviderButtonsProps = {
  providers: readonly { id: string; name: string }[];
  next: string;
  /** No other way to sign in follows. */
  alone?: boolean;
};

export function ProviderButtons({ providers, next, alone = false }: ProviderButtonsProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  if (providers.length === 0) return null;

  async function go(id: string) {
    setBusy(id);
    setFailure(null);
    try {
      await signInWithProvider(id, next);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "Signing in failed. Try again.");
      setBusy(null);
    }
  }

  return (
    <div className="flex flex-col gap-2">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="lg"
          loading={busy === id}
          disabled={busy !== null && busy !== id}
          onClick={() => void go(id)}
        >
          Continue with {name}
        </Button>
      ))}
      <FormAlert>{failure}</FormAlert>
      {alone ? null : (
        <div className="mt-2 flex items-center gap-3 text-muted-foreground text-sm">
          <span aria-hidden="true" className="h-px flex-1 bg-border" />
          or with a password
          <span aria-hidden="true" className="h-px flex-1 bg-border" />
        </div>
      )}
    </div>
  );
}
