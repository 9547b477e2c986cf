import { ListSkeleton } from "#components/records/list-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function CompaniesLoading() {
  return (
    <Page width="full">
      <PageHeader title="Companies" />
      <ListSkeleton label="Loading companies" />
    </Page>
  );
}
