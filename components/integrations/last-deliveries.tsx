import type { ReactNode } from "react";
import { Deliveries, type DeliveriesProps } from "./deliveries.tsx";
import type { InboundProvider } from "./delivery-calls.ts";

type LastDeliveriesProps = Pick<DeliveriesProps, "workspaceId" | "canReplay" | "empty"> & {
  provider: InboundProvider;
  action?: ReactNode;
};

/** The end of a card: the last deliveries. */
export function LastDeliveries({ provider, action, ...log }: LastDeliveriesProps) {
  const all = `/${log.workspaceId}/integrations/deliveries?provider=${provider}`;
  return (
    <div className="border-t">
      <div className="flex min-h-10 items-center gap-3 px-4 pt-2">
        <h3 className="flex-1 font-medium">Last deliveries</h3>
        {action}
      </div>
      <div>
        <Deliveries {...log} filter={{ provider }} limit={5} moreHref={all} />
      </div>
    </div>
  );
}
