/** Tokens of providers, and keys and connected clients too, that end within this time are told. */
export const ENDS_WITHIN_DAYS = 14;
