import { IntegrationsSkeleton } from "#components/integrations/integrations-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function IntegrationsLoading() {
  return (
    <Page width="text">
      <PageHeader
        title="Integrations"
        description="Systems that report what happens, so that timelines fill by themselves."
      />
      <IntegrationsSkeleton />
    </Page>
  );
}
