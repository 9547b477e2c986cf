"use client";

import { DeliveryDays } from "#components/records/delivery-days.tsx";
import { Card } from "#components/ui/card.tsx";
import { parseAsBoolean, parseAsStringLiteral } from "#components/ui/query-state.ts";
import { Select } from "#components/ui/select.tsx";
import { useQueryStates } from "#components/ui/use-query-state.ts";
import { Deliveries } from "./deliveries.tsx";
import type { DeliveryFilter, DeliveryPage, InboundProvider, Status } from "./delivery-calls.ts";
import { useInboundDays } from "./delivery-calls.ts";
import { deliveryProviders, deliveryStatuses } from "./delivery-words.ts";
import { Retention } from "./retention.tsx";

const providers = Object.keys(deliveryProviders) as InboundProvider[];
const statuses = Object.keys(deliveryStatuses) as Status[];
const ANY = "any";
const NONE = "none";

type DeliveriesPageProps = {
  workspaceId: string;
  canReplay: boolean;
  first: { filter: DeliveryFilter; page: DeliveryPage };
};

/** The whole log, by provider and status. */
export function DeliveriesPage({ workspaceId, canReplay, first }: DeliveriesPageProps) {
  const [{ provider, status, without_contact }, setPlace] = useQueryStates({
    provider: parseAsStringLiteral(providers),
    status: parseAsStringLiteral(statuses),
    without_contact: parseAsBoolean,
  });
  const days = useInboundDays(workspaceId, provider);
  const filter: DeliveryFilter = {
    ...(provider ? { provider } : {}),
    ...(status ? { status } : {}),
    ...(without_contact ? { without_contact } : {}),
  };
  const asRendered = (["provider", "status", "without_contact"] as const).every(
    (name) => first.filter[name] === filter[name],
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Provider"
          className="w-44"
          value={provider ?? ANY}
          onValueChange={(next) => setPlace({ provider: providers.find((each) => each === next) ?? null })}
          options={[
            { value: ANY, label: "Every provider" },
            ...providers.map((value) => ({ value, label: deliveryProviders[value] })),
          ]}
        />
        <Select
          aria-label="Status"
          className="w-44"
          value={status ?? ANY}
          onValueChange={(next) => setPlace({ status: statuses.find((each) => each === next) ?? null })}
          options={[
            { value: ANY, label: "Every status" },
            ...statuses.map((value) => ({ value, label: deliveryStatuses[value].label })),
          ]}
        />
        <Select
          aria-label="Contacts"
          className="w-44"
          value={without_contact ? NONE : ANY}
          onValueChange={(next) => setPlace({ without_contact: next === NONE ? true : null })}
          options={[
            { value: ANY, label: "With any contacts" },
            { value: NONE, label: "Without a contact" },
          ]}
        />
        <div className="sm:ml-auto">
          <Retention workspaceId={workspaceId} canChange={canReplay} initial={first.page.retention} />
        </div>
      </div>
      <DeliveryDays
        query={days}
        done="processed"
        none="Nothing came in the last 30 days."
        note={days.data?.since ? "The latest 10,000 are counted." : undefined}
      />
      <Card aria-label="Deliveries">
        <Deliveries
          workspaceId={workspaceId}
          canReplay={canReplay}
          filter={filter}
          {...(asRendered ? { initial: first.page } : {})}
        />
      </Card>
    </>
  );
}
