"use client";

import { onDemand } from "#components/ui/on-demand.tsx";

/** "Look around with sample data" in an empty list; its code loads with it. */
export const SampleOffer = onDemand(
  "Sample data",
  () => import("./look-around.tsx").then((module) => module.LookAround),
  {
    optional: true,
  },
);
