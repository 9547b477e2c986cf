"use client";

import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { MailContacts } from "#lib/domain/integrations/mailboxes/words.ts";
import { reaches, type ShareLevel, shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import { shareWords } from "./share-words.ts";

/** `host` null: it is found by the address. */
export type Login = { address: string; password: string; host: string | null };

type LoginFieldsProps = { login: Login; onChange: (login: Login) => void };

export function LoginFields({ login, onChange }: LoginFieldsProps) {
  return (
    <>
      <Field label="E-mail address" required>
        <Input
          type="email"
          value={login.address}
          autoComplete="off"
          onChange={(event) => onChange({ ...login, address: event.target.value })}
        />
      </Field>
      <Field
        label="Password"
        required
        hint="Google, iCloud, Yahoo and Fastmail want an app password here, not the one you sign in with."
      >
        <Input
          type="password"
          value={login.password}
          autoComplete="off"
          data-1p-ignore
          onChange={(event) => onChange({ ...login, password: event.target.value })}
        />
      </Field>
      {login.host === null ? (
        <Button variant="link" className="self-start" onClick={() => onChange({ ...login, host: "" })}>
          Name the mail server
        </Button>
      ) : (
        <Field label="IMAP server" hint="Such as imap.example.com, with :port if it is not 993.">
          <Input
            value={login.host}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onChange({ ...login, host: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}

/** What is read of a mailbox, and what of it is shared. */
export type Terms = { share: ShareLevel; contacts: MailContacts; days: string; blocked: string };

const contacts = [
  { value: "written_to", label: "People I write to" },
  { value: "known", label: "No new people" },
] as const;

const windows = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "1825", label: "5 years" },
] as const;

type TermsFieldsProps = { terms: Terms; ceiling: ShareLevel; onChange: (terms: Terms) => void };

export function TermsFields({ terms, ceiling, onChange }: TermsFieldsProps) {
  const set = (change: Partial<Terms>) => onChange({ ...terms, ...change });
  return (
    <>
      <Field label="What others in the workspace see">
        <RadioGroup<ShareLevel>
          value={terms.share}
          onValueChange={(share) => set({ share })}
          options={shareLevels.map((value) => ({ value, ...shareWords[value], disabled: !reaches(ceiling, value) }))}
        />
      </Field>
      <Field label="Who becomes a contact">
        <Select<MailContacts>
          value={terms.contacts}
          onValueChange={(value) => set({ contacts: value })}
          options={contacts}
        />
      </Field>
      <Field label="How far back">
        <Select value={terms.days} onValueChange={(days) => set({ days })} options={windows} />
      </Field>
      <Field label="Never store mail with" optional hint="Addresses and domains: your bank, your doctor, friends.">
        <Textarea value={terms.blocked} onChange={(event) => set({ blocked: event.target.value })} rows={2} />
      </Field>
    </>
  );
}
