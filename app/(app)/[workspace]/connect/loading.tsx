import { ConnectSkeleton } from "#components/connect/connect-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function ConnectLoading() {
  return (
    <Page width="text">
      <PageHeader
        title="Connect an agent"
        description="Any agent that can send HTTP requests reads your go-to-market profile and keeps it current."
      />
      <ConnectSkeleton />
    </Page>
  );
}
