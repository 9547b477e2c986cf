import { highlight } from "./highlight.ts";

/** A passage with the question's words marked. */
export function Highlighted({ text, question }: { text: string; question: string }) {
  let at = 0;
  return highlight(text, question).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.hit ? (
      <mark key={key} className="rounded-xs bg-primary-soft font-medium text-foreground">
        {piece.text}
      </mark>
    ) : (
      <span key={key}>{piece.text}</span>
    );
  });
}
