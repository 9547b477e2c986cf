"use client";

import { onDemand } from "#components/ui/on-demand.tsx";
import type { FailedPage } from "#components/ui/use-failure.ts";
import { useReload } from "#components/ui/use-reload.ts";

/** Every page of a workspace brings this along, so what it shows is loaded when one fails. */
const Failed = onDemand<FailedPage>(
  "Why the page failed",
  () => import("#components/frame/failed-page.tsx").then((module) => module.FailedWorkspacePage),
  { loading: <h1 className="font-medium">This page could not be loaded</h1> },
);

export default function WorkspaceError(props: FailedPage) {
  // A page whose scripts are gone is loaded again, also when what is shown here is gone with them.
  useReload(props.error);
  return <Failed {...props} />;
}
