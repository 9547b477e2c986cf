import { bytesWords, joined } from "./words.ts";

/** The largest file, in bytes; `file-problem.test.ts` checks that the server has the same limit. */
export const MOST_BYTES = 200 * 1024 * 1024;

type GivenFile = Pick<File, "name" | "size" | "type">;

const readable = /\.(csv|tsv|tab|txt)$/i;
const sheets = /\.(xlsx?|xlsm|xlsb|ods|numbers)$/i;

/** Why these files cannot be uploaded, all of it in one sentence; null when it is one file that can. */
export function fileProblem(files: readonly GivenFile[]): string | null {
  const [file] = files;
  if (!file) return "There is no file in what you dropped.";
  if (files.length > 1) return `Choose one file at a time; these are ${files.length}.`;
  const isText = readable.test(file.name) || file.type === "text/csv";
  const wrong = [
    ...(isText ? [] : [sheets.test(file.name) ? "is a spreadsheet, not a CSV file" : "is not a CSV file"]),
    ...(file.size === 0 ? ["is empty"] : []),
    ...(file.size > MOST_BYTES ? [`is larger than ${bytesWords(MOST_BYTES)}`] : []),
  ];
  if (wrong.length === 0) return null;
  const advice = sheets.test(file.name)
    ? " In the spreadsheet, choose “Save as” or “Export”, and CSV."
    : file.size > MOST_BYTES
      ? " Split it into several."
      : "";
  return `${file.name} ${joined(wrong)}.${advice}`;
}
