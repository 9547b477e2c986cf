"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function DeliveriesError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Deliveries" {...props} />;
}
