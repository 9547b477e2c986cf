import type { ReactNode } from "react";

/** The list of the settings' pages, and one of them beside it, on a narrow screen below. */
export const SettingsColumns = ({ nav, children }: { nav: ReactNode; children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 lg:grid-cols-[11rem_minmax(0,48rem)]">
    {nav}
    <div className="flex min-w-0 flex-col gap-5 lg:col-start-2">{children}</div>
  </div>
);
