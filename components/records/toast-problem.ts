import { toast } from "#components/ui/toaster.tsx";
import { problemOf } from "./problem.ts";

/** Tells what went wrong. */
export const toastProblem = (error: unknown): void => void toast.error(problemOf(error).message);
