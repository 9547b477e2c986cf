import { z } from "zod";

/** Bytes as WebAuthn's JSON has them. */
const bytes = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, "Send base64url.")
    .max(most);

/** What the browser's passkey answered to a challenge (`AuthenticationResponseJSON` of WebAuthn, without what is not read). */
export const PasskeyAnswer = z.strictObject({
  id: bytes(1_400),
  client_data: bytes(4_000).describe("`response.clientDataJSON`"),
  authenticator_data: bytes(4_000).describe("`response.authenticatorData`"),
  signature: bytes(2_000).describe("`response.signature`"),
  user_handle: bytes(100).optional().describe("`response.userHandle`"),
});
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>;

/** What the browser made as a new passkey (`RegistrationResponseJSON`, likewise). */
export const NewPasskey = z.strictObject({
  id: bytes(1_400),
  client_data: bytes(4_000).describe("`response.clientDataJSON`"),
  attestation: bytes(20_000).describe("`response.attestationObject`"),
});
export type NewPasskey = z.output<typeof NewPasskey>;
