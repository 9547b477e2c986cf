import { type FormEvent, useState } from "react";
import { problemOf } from "./problem.ts";

/**
 * The submit of a form, one at a time, and what went wrong with the last one, in words for the reader. `refuse` says what is
 * wrong before anything is sent.
 */
export function useSubmit(work: (refuse: (problem: string) => void) => Promise<unknown>) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    event.stopPropagation(); // for React a dialog's form is inside the one of the page
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await work(setProblem);
    } catch (error) {
      setProblem(problemOf(error).message);
    }
    setBusy(false);
  }

  return { submit, busy, problem, setProblem };
}
