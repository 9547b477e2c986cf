import type { PasskeyRow } from "#lib/auth/queries/passkeys.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Passkey } from "./contract.ts";

export const passkeyOfRow = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  created_at: formatTime(createdAt),
  last_used_at: lastUsedAt && formatTime(lastUsedAt),
});
