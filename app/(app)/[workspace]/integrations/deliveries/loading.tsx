import { DeliveriesSkeleton } from "#components/integrations/deliveries-skeleton.tsx";
import { Card } from "#components/ui/card.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function DeliveriesLoading() {
  return (
    <Page>
      <PageHeader title="Deliveries" />
      <Card>
        <DeliveriesSkeleton />
      </Card>
    </Page>
  );
}
