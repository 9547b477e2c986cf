"use client";

import { useEffect } from "react";

/**
 * Shows a record's own address where the page was opened by another: an e-mail address, a domain, a record that was merged.
 * A redirect from a page that is being sent would load it twice, the second time a second later.
 */
export function OwnAddress({ path }: { path: string }) {
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    if (pathname !== path) window.history.replaceState(null, "", `${path}${search}${hash}`);
  }, [path]);
  return null;
}
