import { AccountSkeleton } from "#components/account/account-skeleton.tsx";
import { Page } from "#components/ui/page-header.tsx";

export default function AccountLoading() {
  return (
    <Page>
      <AccountSkeleton />
    </Page>
  );
}
