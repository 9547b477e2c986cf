import { detached } from "#lib/text/detached.ts";
import { fold } from "#lib/text/fold.ts";

/** Longest word that is kept; the rest of a longer one does not distinguish it. */
export const MAX_WORD = 64;

const ASCII = /^[\x20-\x7e]*$/;
const CONTRACTION = /^(?:s|re|ve|ll|d|m)$/;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SPACELESS_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * The forms under which a written word is found: lower-case and without accents. Most words have one. Compounds have
 * their parts and the whole (`follow-up`, `SOC2`), amounts their plain number (`45k`, `45,000`), scripts without spaces
 * the pairs of their characters.
 */
export function formsOf(written: string): readonly string[] {
  const cached = remembered.get(written);
  if (cached) return cached;
  if (written.length > MAX_WORD) return findForms(written);
  if (remembered.size >= MOST) remembered.clear();
  const word = detached(written);
  const forms = findForms(word);
  remembered.set(word, forms);
  return forms;
}

/** Words of a language come again and again; folding each of them once makes long texts quick to read. */
const remembered = new Map<string, readonly string[]>();
const MOST = 50_000;

function findForms(written: string): string[] {
  const text = ASCII.test(written) ? written.toLowerCase() : fold(written.replaceAll("’", "'"));
  if (/^[a-z]+$/.test(text)) return [clip(text)];
  if (/^[\d.,]+[a-z]?$/.test(text)) return amountForms(text);
  if (/n't$/.test(text)) return [];
  const forms: string[] = [];
  const pieces = text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((piece) => piece !== "");
  const parts = text.includes("'") ? pieces.filter((piece, index) => index === 0 || !CONTRACTION.test(piece)) : pieces;
  for (const part of parts) forms.push(...partForms(part));
  const whole = parts.join("");
  if (parts.length === 2 && whole.length <= 24 && !/^\d+$/.test(whole)) forms.push(whole);
  return [...new Set(forms)];
}

/** `45k`, `45,000` and `45000` are one number; `3.5` stays as it is. */
function amountForms(text: string): string[] {
  const [, number = "", unit = ""] = /^([\d.,]*\d)[.,]*([a-z]?)$/.exec(text) ?? [];
  if (number === "") return [];
  const plain = number.replace(/,(?=\d{3}(?!\d))/g, "");
  if (unit === "k" && /^\d{1,6}(\.\d+)?$/.test(plain)) return [String(Math.round(Number(plain) * 1000))];
  return plain.split(",").flatMap((piece) => (piece === "" ? [] : [clip(piece.replace(/^[.]+|[.]+$/g, "") + unit)]));
}

function partForms(part: string): string[] {
  if (SPACELESS.test(part))
    return (part.match(SPACELESS_RUN) ?? []).flatMap((run) => (SPACELESS.test(run) ? pairsOf(run) : partForms(run)));
  const [, letters, digits] = /^([a-z]{2,})(\d+)$/.exec(part) ?? [];
  if (letters !== undefined && digits !== undefined) return [letters, digits, clip(part)].map(clip);
  return [clip(part)];
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

const clip = (word: string): string =>
  word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/[\uD800-\uDBFF]$/, "");
