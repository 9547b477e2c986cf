/**
 * A spreadsheet would run text that begins with these characters, full-width ones too; telephone and other numbers stay
 * as they are.
 */
const isFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-][\d .,()]+$/.test(text);

/** Text for a cell of a CSV file, which no spreadsheet takes for a formula: a formula gets an apostrophe in front. */
export const inertCell = (text: string): string => (isFormula(text) ? `'${text}` : text);
