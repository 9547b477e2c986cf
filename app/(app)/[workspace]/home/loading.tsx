import { HomeSkeleton } from "#components/home/home-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export default function HomeLoading() {
  return (
    <Page>
      <PageHeader title="Home" />
      <HomeSkeleton />
    </Page>
  );
}
