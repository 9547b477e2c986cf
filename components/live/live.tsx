"use client";

import { onDemand } from "#components/ui/on-demand.tsx";

/** Nothing of it is seen, so the page starts without it; it asks for what happened meanwhile. */
export const Live = onDemand(null, () => import("./live-updates.tsx").then((module) => module.LiveUpdates));
