/** A piece of a section's text. `stance`: whether it is about customers they want, would rather not have, or refuse. */
export type Clause = { text: string; stance: "for" | "less" | "never" };

/** After these words it is about customers they do not want. */
const NEVER =
  /\b(?:(?:do|does|did|will|would|should|can|could|are|is|was|were)(?:\s+not|n['’]t)(?:\s+(?:sell|work|want|target|serve|suited|meant|built|support|fit))?(?:\s+(?:to|with|for))?|never|not(?!\s+only)|no(?=\s+\p{L})|avoid(?:s|ing)?|exclud(?:e|es|ed|ing)|exclusions?|except(?:\s+for)?|excepting|disqualif(?:y|ies|ied|iers?|ication)|bad\s+fit|ruled\s+out|stay\s+away\s+from|without|cannot|can['’]t)\b/iu;
const LESS =
  /\b(?:rarely|seldom|less\s+(?:suited|likely|ideal|relevant)|weak\s+fit|poor\s+fit|not\s+(?:ideal|our\s+focus|a\s+priority|great)|lower\s+priority|usually\s+not)\b/iu;
/** After these words it is about customers they want again. */
const FOR =
  /\b(?:but(?!\s+not)|only|instead|rather\s+we|we\s+(?:do\s+)?sell\s+to|we\s+target|focus\s+on|except\s+when|however)\b/iu;
const OUTSIDE = /\b(?:outside(?:\s+of)?|beyond)\b/iu;

/**
 * A text in clauses, each with its stance. A line that ends with a colon speaks for the lines of the list below it, and
 * "not outside the EU" is for the EU.
 */
export function clausesOf(text: string): Clause[] {
  let heading: Clause["stance"] = "for";
  const clauses: Clause[] = [];
  for (const line of text.split(/\r?\n/)) {
    const plain = line.replace(/^\s*(?:[-*•‣–—]|\d+[.)])\s+/, "");
    if (plain.trim() === "") {
      heading = "for";
      continue;
    }
    const isItem = plain !== line;
    if (!isItem) heading = "for";
    if (/[:：]\s*$/.test(plain)) {
      heading = stanceIn(plain);
      continue;
    }
    for (const sentence of plain.split(/(?<=[.!?;])\s+(?=\S)|;/))
      clauses.push(...partsOf(sentence, isItem ? heading : "for"));
  }
  return clauses;
}

const stanceIn = (text: string): Clause["stance"] => (LESS.test(text) ? "less" : NEVER.test(text) ? "never" : "for");

/** A sentence cut where its stance changes. */
function partsOf(sentence: string, begin: Clause["stance"]): Clause[] {
  const parts: Clause[] = [];
  let rest = sentence;
  let stance = begin;
  const add = (text: string) => {
    const trimmed = text.replace(/^[\s,.:–—-]+|[\s,;:–—-]+$/g, "");
    if (trimmed !== "") parts.push({ text: trimmed, stance });
  };
  for (;;) {
    const turn = nextTurn(rest, stance);
    if (!turn) break;
    add(rest.slice(0, turn.at));
    stance = turn.stance;
    rest = rest.slice(turn.end);
  }
  add(rest);
  return parts;
}

type Turn = { at: number; end: number; stance: Clause["stance"] };

function nextTurn(text: string, stance: Clause["stance"]): Turn | null {
  const turn = (pattern: RegExp, to: Clause["stance"]): Turn[] => {
    const match = pattern.exec(text);
    return match ? [{ at: match.index, end: match.index + match[0].length, stance: to }] : [];
  };
  const turns =
    stance === "for"
      ? [...turn(LESS, "less"), ...turn(NEVER, "never"), ...turn(OUTSIDE, "never")]
      : [...turn(FOR, "for"), ...turn(OUTSIDE, "for")];
  return turns.sort((a, b) => a.at - b.at || b.end - a.end)[0] ?? null;
}
