"use client";

import { CircleCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { MailContacts } from "#lib/domain/integrations/mailboxes/words.ts";
import { leastOpen, reaches, type ShareLevel, shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { type MailboxTest, useConnectMailbox, useTestMailbox } from "./calls.ts";
import { shareWords } from "./share-words.ts";

type ConnectMailboxDialogProps = { workspaceId: string; ceiling: ShareLevel; onClose: () => void };

const windows = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
  { value: "1825", label: "5 years" },
] as const;

/** First the login, which is tried; then what is read and shared. */
export function ConnectMailboxDialog({ workspaceId, ceiling, onClose }: ConnectMailboxDialogProps) {
  const [address, setAddress] = useState("");
  const [password, setPassword] = useState("");
  const [host, setHost] = useState("");
  const [asksHost, setAsksHost] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [tested, setTested] = useState<MailboxTest | null>(null);
  const [share, setShare] = useState<ShareLevel>(leastOpen(["metadata", ceiling]));
  const [contacts, setContacts] = useState<MailContacts>("written_to");
  const [days, setDays] = useState("90");
  const [blocked, setBlocked] = useState("");
  const test = useTestMailbox(workspaceId);
  const connect = useConnectMailbox(workspaceId);

  const login = () => ({
    address: address.trim(),
    password,
    ...(tested ? { server: tested.server } : serverOf(host)),
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (test.isPending || connect.isPending) return;
    setProblem(null);
    try {
      if (!tested) return setTested(await test.mutateAsync(login()));
      const never = blocked.split(/[\s,;]+/).filter(Boolean);
      await connect.mutateAsync({ ...login(), share, contacts, days: Number(days), blocked: never });
      toast.success(`${address.trim()} is connected. Its mail is being read.`);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.code === "mail_server_required") setAsksHost(true);
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
                <p
                  className="flex items-start gap-2 rounded-md bg-success-soft px-3 py-2 text-sm text-success-text"
                  role="status"
                >
                  <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                  <span className="wrap-anywhere">{foundIn(tested)}</span>
                </p>
                <Field label="What others in the workspace see">
                  <RadioGroup<ShareLevel>
                    value={share}
                    onValueChange={setShare}
                    options={shareLevels.map((value) => ({
                      value,
                      ...shareWords[value],
                      disabled: !reaches(ceiling, value),
                    }))}
                  />
                </Field>
                <Field label="Who becomes a contact">
                  <Select<MailContacts>
                    value={contacts}
                    onValueChange={setContacts}
                    options={[
                      { value: "written_to", label: "People I write to" },
                      { value: "known", label: "Nobody new" },
                    ]}
                  />
                </Field>
                <Field label="How far back">
                  <Select value={days} onValueChange={setDays} options={windows} />
                </Field>
                <Field
                  label="Never store mail with"
                  optional
                  hint="Addresses and domains: your bank, your doctor, friends."
                >
                  <Textarea value={blocked} onChange={(event) => setBlocked(event.target.value)} rows={2} />
                </Field>
              </>
            ) : (
              <>
                <Field label="E-mail address" required>
                  <Input
                    type="email"
                    value={address}
                    autoComplete="off"
                    onChange={(event) => setAddress(event.target.value)}
                  />
                </Field>
                <Field
                  label="Password"
                  required
                  hint="Google, Microsoft, iCloud, Yahoo and Fastmail want an app password here, not the one you sign in with."
                >
                  <Input
                    type="password"
                    value={password}
                    autoComplete="off"
                    data-1p-ignore
                    onChange={(event) => setPassword(event.target.value)}
                  />
                </Field>
                {asksHost ? (
                  <Field
                    label="IMAP server"
                    required
                    hint="As your provider names it, such as imap.example.com, with :port if it is not 993."
                  >
                    <Input value={host} spellCheck={false} onChange={(event) => setHost(event.target.value)} />
                  </Field>
                ) : (
                  <Button variant="link" className="self-start" onClick={() => setAsksHost(true)}>
                    Name the mail server
                  </Button>
                )}
              </>
            )}
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </div>
          </DialogBody>
          <DialogSubmit
            label={tested ? "Connect" : "Continue"}
            disabled={address.trim() === "" || password === ""}
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

function foundIn({ server, folders }: MailboxTest): string {
  const read = folders.filter((folder) => folder.read);
  const messages = read.reduce((sum, { messages: count }) => sum + (count ?? 0), 0);
  const names = read.map(({ path }) => path).join(", ");
  return `${server.host} works. ${names || "No folder"} will be read, with ${messages.toLocaleString("en")} messages in all.`;
}
