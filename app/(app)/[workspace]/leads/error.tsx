"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function LeadsError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Leads" {...props} />;
}
