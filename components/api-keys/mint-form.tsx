"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { approvalChoices } from "#components/approvals/modes.ts";
import { LimitsFields, limitsOfDraft, noLimitsDraft } from "#components/limits/limits-fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { ApprovalMode, KeyScope } from "#lib/core/plans.ts";
import type { MintAnswer } from "#lib/domain/access/api-keys/contract.ts";
import { keyLevels, scopesOf } from "./access.ts";
import { useMintKey } from "./keys.ts";
import { expiryOf, type Lifetime, lifetimes, today } from "./lifetime.ts";
import { type KeyField, problemOf } from "./problem.ts";

type MintFormParts = {
  name: ReactNode;
  /** Access, lifetime, addresses: most people keep the defaults. */
  options: ReactNode;
  /** An error that belongs to no field. */
  failure: ReactNode;
  submit: ReactNode;
  /** An option was refused, so the options must be visible. */
  optionRefused: boolean;
};

export type MintFormProps = {
  workspaceId: string;
  /** The initial text of the name field. */
  suggestedName?: string;
  onMinted: (minted: MintAnswer) => void;
  /** Lays the parts out. */
  children: (parts: MintFormParts) => ReactNode;
};

/** Keys that change nothing, or nothing but members, have no changes that could wait. */
const canWait = (level: KeyScope): boolean => level !== "read" && level !== "directory";

/** Keys that manage the workspace could lift their own limits. */
const canLimit = (level: KeyScope): boolean => level === "read" || level === "write";

/** Name, access, lifetime and addresses of a new key. An error of the server is shown beside its field. */
export function MintForm({ workspaceId, suggestedName = "", onMinted, children }: MintFormProps) {
  const [name, setName] = useState(suggestedName);
  const [level, setLevel] = useState<KeyScope>("write");
  const [mode, setMode] = useState<ApprovalMode>("none");
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const [date, setDate] = useState("");
  const [ranges, setRanges] = useState("");
  const [limits, setLimits] = useState(noLimitsDraft);
  const [problem, setProblem] = useState<{ field: KeyField | null; message: string } | null>(null);
  const mint = useMintKey(workspaceId);
  const formId = useId();
  const on = (field: KeyField) => (problem?.field === field ? problem.message : undefined);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (mint.isPending) return;
    if (name.trim() === "") return setProblem({ field: "name", message: "Enter a name for the key." });
    if (lifetime === "date" && date < today()) return setProblem({ field: "expiry", message: "Choose a future date." });
    setProblem(null);
    try {
      const allowed_cidrs = ranges.split(/[\s,]+/).filter(Boolean);
      const approval = canWait(level) ? mode : "none";
      const input = { name, scopes: scopesOf(level), allowed_cidrs, approval } as const;
      const limited = limits === noLimitsDraft || !canLimit(level) ? {} : limitsOfDraft(limits);
      onMinted(await mint.mutateAsync({ ...input, ...limited, ...expiryOf(lifetime, date) }));
    } catch (error) {
      setProblem(problemOf(error));
    }
  }

  const parts: MintFormParts = {
    name: (
      <Field label="Name" hint="What will use it, such as the agent and where it runs." error={on("name")} required>
        <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={100} autoComplete="off" />
      </Field>
    ),
    options: (
      <>
        <Field label="Access">
          <RadioGroup options={keyLevels} value={level} onValueChange={setLevel} />
        </Field>
        {canWait(level) ? (
          <Field label="Approval">
            <RadioGroup options={approvalChoices} value={mode} onValueChange={setMode} />
          </Field>
        ) : null}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Expires" error={lifetime === "date" ? undefined : on("expiry")}>
            <Select options={lifetimes} value={lifetime} onValueChange={setLifetime} />
          </Field>
          {lifetime === "date" ? (
            <Field label="Last day" error={on("expiry")} required>
              <Input type="date" value={date} min={today()} onChange={(event) => setDate(event.target.value)} />
            </Field>
          ) : null}
        </div>
        <Field
          label="Allowed addresses"
          hint="IPv4 or IPv6 addresses or ranges, one per line, such as 203.0.113.0/24. Empty: from anywhere."
          error={on("addresses")}
          optional
        >
          <Textarea value={ranges} onChange={(event) => setRanges(event.target.value)} rows={2} spellCheck={false} />
        </Field>
        {canLimit(level) ? <LimitsFields value={limits} onChange={setLimits} error={on("hidden")} /> : null}
      </>
    ),
    failure: (
      <p role="alert" className="text-danger-text text-sm empty:hidden">
        {problem?.field === null ? problem.message : null}
      </p>
    ),
    submit: (
      <Button type="submit" form={formId} variant="primary" loading={mint.isPending}>
        Create key
      </Button>
    ),
    optionRefused: problem?.field !== undefined && problem.field !== null && problem.field !== "name",
  };
  return (
    <form id={formId} onSubmit={submit} noValidate>
      {children(parts)}
    </form>
  );
}
