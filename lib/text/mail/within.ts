import { createContext, Script } from "node:vm";

const context: { work: (() => unknown) | null } = { work: null };
const script = new Script("work()");
createContext(context);

/** What a function without effects makes, or null when it takes longer. Ends a regular expression that does not come back. */
export function within<T>(ms: number, work: () => T): T | null {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  } finally {
    context.work = null;
  }
}
