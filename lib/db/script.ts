/** Parts in which a semicolon does not end the statement: a comment, a text, a quoted name, a dollar-quoted body. */
const CLOSED = [
  /--[^\n]*/y,
  /\/\*[\s\S]*?\*\//y,
  /\bE'(?:[^'\\]|''|\\[\s\S])*'/iy,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /(\$[A-Za-z_]*\$)[\s\S]*?\1/y,
];

/**
 * The statements of a script, without the text before the first and after the last. Bodies of functions are
 * dollar-quoted; comments are not nested.
 */
export function statementsIn(script: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let at = 0;
  let says = false; // more than blanks and comments
  const end = () => {
    if (says) statements.push(script.slice(start, at).trim());
    start = at + 1;
    says = false;
  };
  while (at < script.length) {
    const length = closedAt(script, at);
    if (length > 0) {
      says ||= !/^(--|\/\*)/.test(script.slice(at, at + 2));
      at += length;
      continue;
    }
    const sign = script[at] as string;
    if (sign === ";") end();
    else says ||= sign.trim() !== "";
    at++;
  }
  end();
  return statements;
}

function closedAt(script: string, at: number): number {
  for (const form of CLOSED) {
    form.lastIndex = at;
    const match = form.exec(script);
    if (match) return match[0].length;
  }
  return 0;
}
