import { Deliveries, type DeliveriesProps } from "./deliveries.tsx";
import type { InboundProvider } from "./delivery-calls.ts";

type LastDeliveriesProps = Pick<DeliveriesProps, "workspaceId" | "canReplay" | "empty"> & {
  provider: InboundProvider;
};

/** The end of a card: the last deliveries. */
export function LastDeliveries({ provider, ...log }: LastDeliveriesProps) {
  const all = `/${log.workspaceId}/integrations/deliveries?provider=${provider}`;
  return (
    <div className="border-t">
      <h3 className="px-4 py-2.5 font-medium">Last deliveries</h3>
      <div>
        <Deliveries {...log} filter={{ provider }} limit={5} moreHref={all} />
      </div>
    </div>
  );
}
