"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function ActivityError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Activity" {...props} />;
}
