import { ListSkeleton } from "#components/records/list-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function PeopleLoading() {
  return (
    <Page width="full">
      <PageHeader title="People" />
      <ListSkeleton label="Loading people" />
    </Page>
  );
}
