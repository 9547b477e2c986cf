import { toast } from "#components/ui/toaster.tsx";
import { problemOf } from "./problem.ts";

/** Shows what went wrong in a toast. */
export const toastProblem = (error: unknown): void => void toast.error(problemOf(error).message);
