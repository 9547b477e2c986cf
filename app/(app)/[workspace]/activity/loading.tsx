import { TimelineSkeleton } from "#components/account/timeline.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function Loading() {
  return (
    <Page>
      <PageHeader title="Activity" />
      <TimelineSkeleton />
    </Page>
  );
}
