"use client";

import { useState } from "react";
import { type Problem, problemOf } from "./problem.ts";

/** Sends what a form holds: `busy` until it has ended well, `problem` when it was refused. */
export function useSending() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  /** `work` sends it, and closes the form. */
  async function send(work: () => Promise<void>): Promise<void> {
    setProblem(null);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }

  return { problem, busy, send };
}
