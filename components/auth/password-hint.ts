export const PASSWORD_HINT = "At least 12 characters. A few words in a row work well.";
