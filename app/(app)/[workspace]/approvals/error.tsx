"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function ApprovalsError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Approvals" width="text" {...props} />;
}
