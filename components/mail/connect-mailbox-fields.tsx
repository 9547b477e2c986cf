"use client";

import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { MailContacts, MailProvider } from "#lib/domain/integrations/mailboxes/words.ts";
import { reaches, type ShareLevel, shareLevels } from "#lib/domain/knowledge/messages/words.ts";
import type { MailFolders } from "./calls.ts";
import { MailboxFolders } from "./mailbox-folders.tsx";
import { shareWords } from "./share-words.ts";
import { providerNames } from "./sign-in-words.ts";

/** `host` null: it is found by the address. */
export type Login = { address: string; password: string; host: string | null };

type LoginFieldsProps = {
  login: Login;
  onChange: (login: Login) => void;
  /** who can sign them in, where the operator has set it up and the address is theirs */
  provider: MailProvider | null;
  onSignIn: () => void;
};

export function LoginFields({ login, onChange, provider, onSignIn }: LoginFieldsProps) {
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
      {provider ? (
        <Button className="w-full" onClick={onSignIn}>
          Sign in with {providerNames[provider]}
        </Button>
      ) : null}
      <Field
        label={provider ? "Or an app password" : "Password"}
        required={provider === null}
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
            autoFocus
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onChange({ ...login, host: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}

/** What is read of a mailbox, and what of it is shared. `folders` null: the usual ones. */
export type Terms = {
  share: ShareLevel;
  contacts: MailContacts;
  days: string;
  blocked: string;
  keepsTexts: boolean;
  folders: readonly string[] | null;
};

const contactChoices = [
  { value: "written_to", label: "People I write to" },
  { value: "known", label: "No new people" },
] as const;

const windows = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "1825", label: "5 years" },
] as const;

type FieldProps<T> = { value: T; onChange: (value: T) => void };

export const ContactsField = ({ value, onChange }: FieldProps<MailContacts>) => (
  <Field label="Who becomes a contact">
    <Select<MailContacts> value={value} onValueChange={onChange} options={contactChoices} />
  </Field>
);

export const TextsField = ({ value, onChange }: FieldProps<boolean>) => (
  <Checkbox
    checked={value}
    onCheckedChange={onChange}
    label="Keep what messages say"
    hint="Encrypted. Without it, only who, when and the subject are kept."
  />
);

export const BlockedField = ({ value, onChange }: FieldProps<string>) => (
  <Field label="Never store mail with" optional hint="Addresses and domains: your bank, your doctor, friends.">
    <Textarea value={value} onChange={(event) => onChange(event.target.value)} rows={2} />
  </Field>
);

type TermsFieldsProps = {
  terms: Terms;
  ceiling: ShareLevel;
  /** null: they are known only once the mailbox is connected */
  folders: MailFolders | null;
  onChange: (terms: Terms) => void;
};

export function TermsFields({ terms, ceiling, folders, onChange }: TermsFieldsProps) {
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
      <ContactsField value={terms.contacts} onChange={(contacts) => set({ contacts })} />
      <Field label="How far back">
        <Select value={terms.days} onValueChange={(days) => set({ days })} options={windows} />
      </Field>
      {folders ? (
        <MailboxFolders folders={folders} chosen={terms.folders} onChange={(chosen) => set({ folders: chosen })} />
      ) : null}
      <TextsField value={terms.keepsTexts} onChange={(keepsTexts) => set({ keepsTexts })} />
      <BlockedField value={terms.blocked} onChange={(blocked) => set({ blocked })} />
    </>
  );
}
