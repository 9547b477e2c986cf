export const PASSWORD_HINT = "At least 12 characters. A few words in a row work well.";
export const TOO_SHORT = "Use at least 12 characters.";
export const TOO_LONG = "Use at most 200 characters.";
