"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function IntegrationsError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Integrations" width="text" {...props} />;
}
