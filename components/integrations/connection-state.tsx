import { Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import type { IntegrationDetail } from "./calls.ts";

/** Whether it is connected and works, in one word. */
export function StatusBadge({ integration }: { integration: IntegrationDetail }) {
  if (!integration.connected) return <Badge>Not connected</Badge>;
  if (!integration.is_verified)
    return (
      <Badge tone="danger" dot>
        Key refused
      </Badge>
    );
  if (integration.message || integration.webhook_status === "failed")
    return (
      <Badge tone="warning" dot>
        Needs attention
      </Badge>
    );
  return (
    <Badge tone="success" dot>
      Connected
    </Badge>
  );
}

const states = {
  none: { tone: "neutral", label: "Being set up" },
  pending: { tone: "neutral", label: "Pending" },
  live: { tone: "success", label: "Live" },
  failed: { tone: "danger", label: "Not set up" },
} as const;

/** The webhook: whether deliveries come in, and when the last one came. */
export function WebhookIndicator({ integration }: { integration: IntegrationDetail }) {
  const { tone, label } = states[integration.webhook_status];
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={tone} dot>
        {label}
      </Badge>
      <span className="text-muted-foreground text-sm">
        {integration.last_event_at ? (
          <>
            last event <RelativeTime value={integration.last_event_at} />
          </>
        ) : integration.webhook_status === "pending" ? (
          "waiting for the first verified delivery"
        ) : null}
      </span>
    </span>
  );
}

/** When it was connected, and who did it. */
export const connectedFact = ({ connected_at, connected_by }: IntegrationDetail): Fact => [
  "Connected",
  <span key="connected">
    {connected_at ? <RelativeTime value={connected_at} /> : null}
    {connected_by ? ` by ${connected_by}` : null}
  </span>,
];

/** What is wrong and what to do, with the button for it. */
export function Trouble({ message, action }: { message: string; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t bg-warning-soft px-4 py-2.5">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-text" />
      <p role="status" className="min-w-60 flex-1 text-pretty text-sm">
        <LocalTimes>{message}</LocalTimes>
      </p>
      {action}
    </div>
  );
}

/** Before deliveries came: that the provider cannot reach this server, and how to change it. */
export function AddressNote({ integration }: { integration: IntegrationDetail }) {
  const { address_problem, webhook_status } = integration;
  if (!address_problem || webhook_status === "live") return null;
  return (
    <p className="flex items-start gap-2 border-t px-4 py-2.5 text-muted-foreground text-sm">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere min-w-0 text-pretty">{address_problem}</span>
    </p>
  );
}

/** The same in a dialog, above what is entered. */
export function AddressWarning({ integration: { address_problem } }: { integration: IntegrationDetail }) {
  return address_problem ? <Warning>{address_problem}</Warning> : null;
}

/** A warning inside a dialog. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-text" />
      <span className="wrap-anywhere min-w-0 text-pretty">{children}</span>
    </p>
  );
}

type Fact = readonly [term: string, value: ReactNode];

/** Facts about a connection, one term and value a row. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 border-t px-4 py-3 sm:grid-cols-[8rem_1fr]">
      {facts.map(([term, value]) => (
        <div key={term} className="contents">
          <dt className="text-muted-foreground text-sm leading-5 max-sm:-mb-1.5">{term}</dt>
          <dd className="wrap-anywhere min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
