import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function LeadListNotFound() {
  return (
    <Page>
      <PageHeader title="Not found" />
      <Card>
        <EmptyState>There is no lead list at this address in this workspace. It may have been deleted.</EmptyState>
      </Card>
    </Page>
  );
}
