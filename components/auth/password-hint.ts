export const PASSWORD_HINT = "At least 12 characters; a few words do well.";
