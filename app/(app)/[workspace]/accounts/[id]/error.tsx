"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function AccountError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Record" {...props} />;
}
