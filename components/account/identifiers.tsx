"use client";

import { Ellipsis, Globe, Hash, Mail, Phone, Plus, Star, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { shortLinkedin, wordsOf } from "#components/records/names.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CardBody, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Account } from "./calls.ts";
import { isIdentifierKind } from "./identifier-kinds.ts";
import { RecordDetails } from "./record-details.tsx";
import type { FactChanges } from "./use-fact-changes.ts";

const icons: Readonly<Record<string, ReactNode>> = {
  email: <Mail />,
  domain: <Globe />,
  linkedin_url: <span className="font-semibold text-xs leading-4">in</span>,
  phone: <Phone />,
};

const AddIdentifier = onDemand("“Add an address”", () =>
  import("./add-identifier.tsx").then((module) => module.AddIdentifier),
);

type IdentifiersProps = {
  workspaceId: string;
  account: Account;
  entityId: string;
  /** Absent when the page shows the past, as is the next. */
  changes?: FactChanges;
  onUndoMerge?: (mergeId: string) => Promise<void>;
};

/** The record's identifiers, to copy or to open, and to correct. */
export function Identifiers({ workspaceId, account, entityId, changes, onUndoMerge }: IdentifiersProps) {
  const [adding, setAdding] = useState(false);
  const { identifiers, type } = account;
  const primary = new Map(identifiers.toReversed().map(({ kind, value }) => [kind, value]));
  return (
    <>
      <CardHeader
        title="Contact details"
        {...(changes
          ? {
              actions: (
                <IconButton
                  data-writes
                  size="sm"
                  label="Add an address"
                  aria-expanded={adding}
                  onClick={() => setAdding(!adding)}
                >
                  <Plus aria-hidden="true" />
                </IconButton>
              ),
            }
          : {})}
      />
      <CardBody className="py-1.5">
        {adding && changes ? (
          <AddIdentifier
            kinds={type === "company" ? ["domain", "linkedin_url"] : ["email", "linkedin_url"]}
            onAdd={changes.addIdentifier}
            onClose={() => setAdding(false)}
          />
        ) : null}
        <ul aria-label="Contact details" className="flex flex-col">
          {identifiers.map(({ kind, value }) => (
            <IdentifierRow
              key={`${kind} ${value}`}
              kind={kind}
              value={value}
              isPrimary={identifiers.filter((one) => one.kind === kind).length > 1 && primary.get(kind) === value}
            >
              {changes && isIdentifierKind(kind) ? (
                <IdentifierMenu
                  value={value}
                  {...(primary.get(kind) === value
                    ? {}
                    : { onPrefer: () => void changes.preferIdentifier(kind, value) })}
                  onRemove={() => void changes.removeIdentifier(kind, value)}
                />
              ) : null}
            </IdentifierRow>
          ))}
        </ul>
        <RecordDetails workspaceId={workspaceId} id={entityId} {...(onUndoMerge ? { onUndo: onUndoMerge } : {})}>
          <ul aria-label="For systems" className="flex flex-col">
            <IdentifierRow kind="entity_id" value={entityId} isPrimary={false} />
          </ul>
        </RecordDetails>
      </CardBody>
    </>
  );
}

type IdentifierRowProps = { kind: string; value: string; isPrimary: boolean; children?: ReactNode };

function IdentifierRow({ kind, value, isPrimary, children }: IdentifierRowProps) {
  return (
    <li className="flex h-8 min-w-0 items-center gap-2">
      <span aria-hidden="true" className="grid w-4 shrink-0 place-items-center text-muted-foreground [&_svg]:size-4">
        {icons[kind] ?? <Hash />}
      </span>
      <span className="sr-only">{kind === "entity_id" ? "Record id" : wordsOf(kind)}</span>
      <span className="min-w-0 flex-1 truncate" title={value}>
        <Shown kind={kind} value={value} />
      </span>
      {isPrimary ? <Badge>Primary</Badge> : null}
      <span className="flex shrink-0 items-center">
        <CopyButton value={value} label={`Copy ${value}`} size="sm" />
        {children}
      </span>
    </li>
  );
}

type IdentifierMenuProps = { value: string; onPrefer?: () => void; onRemove: () => void };

function IdentifierMenu({ value, onPrefer, onRemove }: IdentifierMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button data-writes variant="ghost" size="icon-sm" aria-label={`Change ${value}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {onPrefer ? (
          <DropdownMenuItem onSelect={onPrefer}>
            <Star aria-hidden="true" /> Make primary
          </DropdownMenuItem>
        ) : null}
        <DropdownMenuItem onSelect={onRemove}>
          <X aria-hidden="true" /> Remove
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function Shown({ kind, value }: { kind: string; value: string }) {
  const href = hrefOf(kind, value);
  const text = kind === "linkedin_url" ? shortLinkedin(value) : value;
  if (href === null) return <code className="font-mono text-muted-foreground text-xs">{text}</code>;
  return (
    <a
      href={href}
      className="block truncate rounded-xs leading-6 hover:underline"
      {...(href.startsWith("https:") ? { target: "_blank", rel: "noreferrer" } : {})}
    >
      {text}
    </a>
  );
}

/** Only addresses of a known form become links. */
function hrefOf(kind: string, value: string): string | null {
  if (kind === "email") return `mailto:${value}`;
  if (kind === "domain") return `https://${value}`;
  if (kind === "phone") return `tel:${value}`;
  return kind === "linkedin_url" && value.startsWith("https://") ? value : null;
}
