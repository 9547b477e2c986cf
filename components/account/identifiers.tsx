import { Globe, Hash, Mail, Phone } from "lucide-react";
import type { ReactNode } from "react";
import { shortLinkedin, wordsOf } from "#components/records/names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { Account } from "./calls.ts";

const icons: Readonly<Record<string, ReactNode>> = {
  email: <Mail />,
  domain: <Globe />,
  linkedin_url: <span className="font-semibold text-xs leading-4">in</span>,
  phone: <Phone />,
};

/** The record's identifiers, to copy or to open. */
export function Identifiers({ identifiers, entityId }: { identifiers: Account["identifiers"]; entityId: string }) {
  const rows = [...identifiers, { kind: "entity_id", value: entityId }];
  return (
    <ul aria-label="Identifiers" className="flex flex-col">
      {rows.map(({ kind, value }) => (
        <li key={`${kind} ${value}`} className="flex h-8 min-w-0 items-center gap-2">
          <span
            aria-hidden="true"
            className="grid w-4 shrink-0 place-items-center text-muted-foreground [&_svg]:size-4"
          >
            {icons[kind] ?? <Hash />}
          </span>
          <span className="sr-only">{kind === "entity_id" ? "Entity id" : wordsOf(kind)}</span>
          <span className="min-w-0 flex-1 truncate" title={value}>
            <Shown kind={kind} value={value} />
          </span>
          <CopyButton value={value} label={`Copy ${value}`} size="sm" />
        </li>
      ))}
    </ul>
  );
}

function Shown({ kind, value }: { kind: string; value: string }) {
  const href = hrefOf(kind, value);
  const text = kind === "linkedin_url" ? shortLinkedin(value) : value;
  if (href === null) return <code className="font-mono text-muted-foreground text-xs">{text}</code>;
  return (
    <a
      href={href}
      className="rounded-xs hover:underline"
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
