import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";

/**
 * Runs the work of a directory in one transaction of the caller's workspace. Throws 403 `insufficient_scope` for a key without the
 * scope `directory`, and for one whose changes wait for approval: a directory takes what is answered for done.
 */
export function asDirectory<T>(
  caller: Caller,
  { operation, readOnly }: { operation: string; readOnly: boolean },
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  if (!caller.scopes.includes("directory")) throw refused("This needs an API key with the access Directory.");
  if ((caller.approval ?? "none") !== "none")
    throw refused(
      "Changes of this key wait for approval, and a directory cannot wait. Create a key whose changes apply.",
    );
  return withWorkspace(caller.workspaceId, (db) => work({ ...caller, db }), { operation, readOnly });
}

const refused = (message: string) => new Fault("insufficient_scope", { required_scope: "directory" }, message);
