"use client";

import { KeyRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { callUser } from "#components/api.ts";
import { removePasskey } from "#components/operations/passkeys.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { Passkey } from "#lib/domain/access/passkeys/contract.ts";

const PasskeyDialog = onDemand("The form for a passkey", () =>
  import("./passkey-dialog.tsx").then((module) => module.PasskeyDialog),
);

const PasskeyRenameDialog = onDemand("The form for a name", () =>
  import("./passkey-rename-dialog.tsx").then((module) => module.PasskeyRenameDialog),
);

type PasskeysCardProps = {
  passkeys: readonly Passkey[];
  /** Whether browsers take passkeys at this address. */
  possible: boolean;
};

/** Keys on the reader's devices and in their password manager. */
export function PasskeysCard({ passkeys, possible }: PasskeysCardProps) {
  const router = useRouter();
  const [adds, setAdds] = useState(false);
  const [renames, setRenames] = useState<Passkey | null>(null);

  return (
    <Card aria-labelledby="passkeys">
      <CardHeader
        titleId="passkeys"
        title="Passkeys"
        description={
          possible
            ? "Sign in with your fingerprint, face or PIN, without a password. A passkey is a second factor too."
            : "Browsers take passkeys only at a domain over https. Ask the person who runs this server for such an address."
        }
        actions={
          possible ? (
            <Button aria-haspopup="dialog" onClick={() => setAdds(true)}>
              Add a passkey
            </Button>
          ) : null
        }
      />
      <ul>
        {passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRename={() => setRenames(passkey)}
            onRemoved={() => router.refresh()}
          />
        ))}
      </ul>
      {renames ? (
        <PasskeyRenameDialog
          id={renames.id}
          name={renames.name}
          onEnd={() => {
            setRenames(null);
            router.refresh();
          }}
        />
      ) : null}
      {adds ? (
        <PasskeyDialog
          onEnd={() => {
            setAdds(false);
            router.refresh();
          }}
        />
      ) : null}
    </Card>
  );
}

type PasskeyRowProps = { passkey: Passkey; onRename: () => void; onRemoved: () => void };

const PasskeyRow = ({ passkey: { id, name, created_at, last_used_at }, onRename, onRemoved }: PasskeyRowProps) => (
  <li className="flex min-h-14 items-center gap-3 border-t px-4 py-2">
    <KeyRound aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
    <div className="min-w-0 flex-1">
      <p className="wrap-anywhere">{name}</p>
      <p className="text-muted-foreground text-sm">
        Added <RelativeTime value={created_at} />
        {last_used_at ? (
          <>
            , last used <RelativeTime value={last_used_at} />
          </>
        ) : (
          ", not used yet"
        )}
      </p>
    </div>
    <Button variant="ghost" size="sm" aria-haspopup="dialog" aria-label={`Rename ${name}`} onClick={onRename}>
      Rename
    </Button>
    <AlertDialog
      trigger={
        <Button variant="danger-ghost" size="sm" aria-label={`Remove ${name}`}>
          Remove
        </Button>
      }
      title={`Remove ${name}`}
      description="It no longer signs you in. Delete it on your device or in your password manager too."
      confirmLabel="Remove passkey"
      onConfirm={async () => {
        await callUser(removePasskey, { id });
        toast.success("The passkey is removed.");
        onRemoved();
      }}
    />
  </li>
);
