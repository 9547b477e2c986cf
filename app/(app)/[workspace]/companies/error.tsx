"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function CompaniesError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Companies" width="full" {...props} />;
}
