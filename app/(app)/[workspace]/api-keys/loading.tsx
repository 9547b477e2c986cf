import { KeysSkeleton } from "#components/api-keys/keys-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function ApiKeysLoading() {
  return (
    <Page>
      <PageHeader
        title="API keys"
        description="What agents and scripts sign in with. A key is shown once, when it is made."
      />
      <KeysSkeleton />
    </Page>
  );
}
