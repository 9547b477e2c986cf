import { ProfileSkeleton } from "#components/gtm-context/profile-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function Loading() {
  return (
    <Page>
      <PageHeader
        title="GTM Context"
        description="What every agent knows about your company before it writes or calls. Short and current beats long."
      />
      <ProfileSkeleton />
    </Page>
  );
}
