"use client";

import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#components/api.ts";
import { blockedIn } from "#components/integrations/sources.ts";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { toast } from "#components/ui/toaster.tsx";
import type { MailProvider } from "#lib/domain/integrations/mailboxes/words.ts";
import { leastOpen, type ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { type MailboxTest, useConnectMailbox, useMailSignIn, useProviderOf, useTestMailbox } from "./calls.ts";
import { type Login, LoginFields, type Terms, TermsFields } from "./connect-mailbox-fields.tsx";
import { providerNames } from "./sign-in-words.ts";

type ConnectMailboxDialogProps = {
  workspaceId: string;
  ceiling: ShareLevel;
  /** whose sign-in this server offers */
  signIn: readonly MailProvider[];
  onClose: () => void;
};

/** First the login, which is tried; then what is read and shared. Who signs in with their provider says that first. */
export function ConnectMailboxDialog({ workspaceId, ceiling, signIn, onClose }: ConnectMailboxDialogProps) {
  const [login, setLogin] = useState<Login>({ address: "", password: "", host: null });
  const [terms, setTerms] = useState<Terms>({
    ...{ share: leastOpen(["metadata", ceiling]), contacts: "written_to", days: "90", blocked: "" },
    ...{ keepsTexts: true, folders: null },
  });
  const [tested, setTested] = useState<MailboxTest | null>(null);
  const [chosenProvider, setChosenProvider] = useState<MailProvider | null>(null);
  const test = useTestMailbox(workspaceId);
  const connect = useConnectMailbox(workspaceId);
  const leave = useMailSignIn(workspaceId);
  const address = login.address.trim();
  const provider = useProviderOf(workspaceId, address, signIn);
  const isAtTerms = tested !== null || chosenProvider !== null;

  const { submit, busy, problem } = useSubmit(async (refuse) => {
    const { password } = login;
    const { days, blocked, keepsTexts, folders, share, contacts } = terms;
    const chosen = {
      ...{ share, contacts, days: Number(days), blocked: blockedIn(blocked), keep_bodies: keepsTexts },
      folders: [...(folders ?? [])],
    };
    if (chosenProvider) return await leave.mutateAsync({ provider: chosenProvider, address, ...chosen });
    if (!tested) {
      try {
        return setTested(await test.mutateAsync({ address, password, ...serverOf(login.host ?? "") }));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "mail_server_required") throw error;
        setLogin({ ...login, host: "" });
        return refuse("The mail server of this address was not found. Enter it above.");
      }
    }
    await connect.mutateAsync({ address, password, server: tested.server, ...chosen });
    toast.success(`${address} is connected. Its mail is being read.`);
    onClose();
  });

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title="Connect a mailbox"
        description="Mail is only read: nothing is sent, moved or marked. Your password or sign-in is kept encrypted and never shown again."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            {isAtTerms ? (
              <>
                {tested ? <Works tested={tested} /> : null}
                <TermsFields terms={terms} ceiling={ceiling} folders={tested?.folders ?? null} onChange={setTerms} />
              </>
            ) : (
              <LoginFields
                login={login}
                onChange={setLogin}
                provider={provider}
                onSignIn={() => setChosenProvider(provider)}
              />
            )}
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </div>
          </DialogBody>
          <DialogSubmit
            label={chosenProvider ? `Sign in with ${providerNames[chosenProvider]}` : tested ? "Connect" : "Continue"}
            disabled={!isAtTerms ? address === "" || login.password === "" : terms.folders?.length === 0}
            busy={busy}
          />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** `host` or `host:port`. */
function serverOf(text: string): { server?: { host: string; port?: number } } {
  const [host = "", port] = text.trim().split(":");
  if (host === "") return {};
  return { server: { host, ...(port && /^\d+$/.test(port) ? { port: Number(port) } : {}) } };
}

/** What the trial found. */
function Works({ tested: { server, folders } }: { tested: MailboxTest }) {
  const read = folders.filter((folder) => folder.read);
  const messages = read.reduce((sum, { messages: count }) => sum + (count ?? 0), 0);
  return (
    <p role="status" className="flex items-start gap-2 rounded-md bg-success-soft px-3 py-2 text-sm text-success-text">
      <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere">
        {server.host} works. It has {numeral(messages)} messages in{" "}
        {read.map(({ path }) => path).join(", ") || "no folder that is read"}.
      </span>
    </p>
  );
}
