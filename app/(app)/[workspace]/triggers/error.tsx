"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function TriggersError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Triggers" {...props} />;
}
