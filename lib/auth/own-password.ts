import { Fault } from "#lib/core/errors.ts";
import { verifyPassword } from "./passwords.ts";
import type { UserRow } from "./queries/users.ts";
import { countAttempt, forgiveAttempt, type Throttle } from "./throttle.ts";

/** One for all that asks a signed-in person for their password. */
const guesses: Throttle = { name: "password", attempts: 5, seconds: 60, waits: [15, 30, 60, 120, 300, 900] };

/**
 * Throws 400 `wrong_password` unless it is this person's own, and 429 `rate_limited` after too many guesses. `parameter`: where it was
 * sent.
 */
export async function requireOwnPassword(
  { id, passwordHash }: Pick<UserRow, "id" | "passwordHash">,
  password: string,
  parameter: string,
): Promise<void> {
  await countAttempt(guesses, id);
  if (!(await verifyPassword(passwordHash, password))) throw new Fault("wrong_password", { parameter });
  await forgiveAttempt(guesses, id);
}
