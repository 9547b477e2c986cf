"use client";

import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { blockedIn } from "#components/integrations/sources.ts";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { leastOpen, reaches, type ShareLevel, shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { CalendarChoice, chosenOf, PeopleFields, type ReadTerms } from "./calendar-fields.tsx";
import { type CalendarLogin, type CalendarTest, useConnectCalendar, useTestCalendar } from "./calls.ts";
import { shareWords } from "./share-words.ts";

type Login = { by: "server" | "address"; server: string; user: string; password: string; address: string };
type Terms = ReadTerms & { share: ShareLevel };

type ConnectCalendarDialogProps = { workspaceId: string; ceiling: ShareLevel; onClose: () => void };

/** First the server or address, which is tried; then what is read and shared. */
export function ConnectCalendarDialog({ workspaceId, ceiling, onClose }: ConnectCalendarDialogProps) {
  const [login, setLogin] = useState<Login>({ by: "server", server: "", user: "", password: "", address: "" });
  const [terms, setTerms] = useState<Terms>({
    ...{ share: leastOpen(["metadata", ceiling]), addContacts: true, blocked: "", left: new Set<string>() },
  });
  const [tested, setTested] = useState<CalendarTest | null>(null);
  const test = useTestCalendar(workspaceId);
  const connect = useConnectCalendar(workspaceId);
  const readsNone = tested?.calendars.every(({ url }) => terms.left.has(url)) === true;

  const { submit, busy, problem } = useSubmit(async () => {
    if (!tested) return setTested(await test.mutateAsync(loginIn(login)));
    await connect.mutateAsync({
      ...loginIn(login),
      ...{ share: terms.share, add_contacts: terms.addContacts },
      calendars: chosenOf(tested.calendars, terms),
      blocked: blockedIn(terms.blocked),
    });
    toast.success("Your calendar is connected. Its meetings are being read.");
    onClose();
  });

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title="Connect a calendar"
        description="Your calendar is only read: nothing is added or answered. Your password or private address is kept encrypted and never shown again."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            {tested ? (
              <TermsFields calendars={tested.calendars} terms={terms} ceiling={ceiling} onChange={setTerms} />
            ) : (
              <LoginFields login={login} onChange={setLogin} />
            )}
            <div role="alert" className="text-danger-text text-sm empty:hidden">
              {problem}
            </div>
          </DialogBody>
          <DialogSubmit
            label={tested ? "Connect" : "Continue"}
            disabled={tested ? readsNone : !isComplete(login)}
            busy={busy}
          />
        </form>
      </DialogContent>
    </Dialog>
  );
}

const loginIn = ({ by, server, user, password, address }: Login): CalendarLogin =>
  by === "address" ? { address: address.trim() } : { server: server.trim(), user: user.trim(), password };

const isComplete = ({ by, server, user, password, address }: Login): boolean =>
  by === "address" ? address.trim() !== "" : [server.trim(), user.trim(), password].every((value) => value !== "");

const ways = [
  {
    value: "server",
    label: "By its server",
    hint: "iCloud, Fastmail, Nextcloud and others, with a user name (CalDAV).",
  },
  { value: "address", label: "By a private address", hint: "Google and Outlook show one in their settings (ICS)." },
] as const;

function LoginFields({ login, onChange }: { login: Login; onChange: (login: Login) => void }) {
  const set = (change: Partial<Login>) => onChange({ ...login, ...change });
  return (
    <>
      <Field label="How it is read">
        <RadioGroup<Login["by"]> value={login.by} onValueChange={(by) => set({ by })} options={ways} />
      </Field>
      {login.by === "address" ? (
        <Field
          label="Private address"
          required
          hint="Anyone who has it can read the calendar, so it is kept like a password."
        >
          <Input
            type="password"
            value={login.address}
            autoComplete="off"
            data-1p-ignore
            onChange={(event) => set({ address: event.target.value })}
          />
        </Field>
      ) : (
        <>
          <Field label="Server" required hint="Such as caldav.icloud.com, or only your domain.">
            <Input
              value={login.server}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => set({ server: event.target.value })}
            />
          </Field>
          <Field label="User name" required>
            <Input
              value={login.user}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => set({ user: event.target.value })}
            />
          </Field>
          <Field
            label="Password"
            required
            hint="iCloud and Fastmail want an app password here, not the one you sign in with."
          >
            <Input
              type="password"
              value={login.password}
              autoComplete="off"
              data-1p-ignore
              onChange={(event) => set({ password: event.target.value })}
            />
          </Field>
        </>
      )}
    </>
  );
}

type TermsFieldsProps = {
  calendars: CalendarTest["calendars"];
  terms: Terms;
  ceiling: ShareLevel;
  onChange: (terms: Terms) => void;
};

function TermsFields({ calendars, terms, ceiling, onChange }: TermsFieldsProps) {
  const set = (change: Partial<Terms>) => onChange({ ...terms, ...change });
  return (
    <>
      <p
        role="status"
        className="flex items-start gap-2 rounded-md bg-success-soft px-3 py-2 text-sm text-success-text"
      >
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>It works.</span>
      </p>
      <CalendarChoice calendars={calendars} terms={terms} onChange={set} />
      <Field label="What others in the workspace see">
        <RadioGroup<ShareLevel>
          value={terms.share}
          onValueChange={(share) => set({ share })}
          options={shareLevels.map((value) => ({ value, ...shareWords[value], disabled: !reaches(ceiling, value) }))}
        />
      </Field>
      <PeopleFields terms={terms} onChange={set} />
    </>
  );
}
