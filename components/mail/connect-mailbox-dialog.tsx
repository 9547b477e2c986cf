"use client";

import { CircleCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { toast } from "#components/ui/toaster.tsx";
import { leastOpen, type ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { type MailboxTest, useConnectMailbox, useTestMailbox } from "./calls.ts";
import { type Login, LoginFields, type Terms, TermsFields } from "./connect-mailbox-fields.tsx";

type ConnectMailboxDialogProps = { workspaceId: string; ceiling: ShareLevel; onClose: () => void };

/** First the login, which is tried; then what is read and shared. */
export function ConnectMailboxDialog({ workspaceId, ceiling, onClose }: ConnectMailboxDialogProps) {
  const [login, setLogin] = useState<Login>({ address: "", password: "", host: null });
  const [terms, setTerms] = useState<Terms>({
    ...{ share: leastOpen(["metadata", ceiling]), contacts: "written_to", days: "90", blocked: "" },
  });
  const [tested, setTested] = useState<MailboxTest | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const test = useTestMailbox(workspaceId);
  const connect = useConnectMailbox(workspaceId);
  const address = login.address.trim();

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (test.isPending || connect.isPending) return;
    setProblem(null);
    const { password } = login;
    try {
      if (!tested) return setTested(await test.mutateAsync({ address, password, ...serverOf(login.host ?? "") }));
      const { days, blocked, ...chosen } = terms;
      const never = blocked.split(/[\s,;]+/).filter(Boolean);
      await connect.mutateAsync({
        address,
        password,
        server: tested.server,
        ...chosen,
        days: Number(days),
        blocked: never,
      });
      toast.success(`${address} is connected. Its mail is being read.`);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.code === "mail_server_required") setLogin({ ...login, host: "" });
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title="Connect a mailbox"
        description="Mail is only read: nothing is sent, moved or marked. The password is kept encrypted and never shown again."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            {tested ? (
              <>
                <Works tested={tested} />
                <TermsFields terms={terms} ceiling={ceiling} onChange={setTerms} />
              </>
            ) : (
              <LoginFields login={login} onChange={setLogin} />
            )}
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </div>
          </DialogBody>
          <DialogSubmit
            label={tested ? "Connect" : "Continue"}
            disabled={address === "" || login.password === ""}
            busy={test.isPending || connect.isPending}
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
