const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

type Part = { text: string; kind: "name" | "text" | "value" | "rest" };

const looks: Readonly<Record<Part["kind"], string>> = {
  name: "text-primary-text",
  text: "text-success-text",
  value: "text-warning-text",
  rest: "text-muted-foreground",
};

/** Printed JSON, cut into names, texts, other values and what is between them. */
export function partsOfJson(json: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of json.matchAll(token)) {
    const [whole, quoted, colon] = match;
    if (match.index > end) parts.push({ text: json.slice(end, match.index), kind: "rest" });
    if (quoted === undefined) parts.push({ text: whole, kind: "value" });
    else {
      parts.push({ text: quoted, kind: colon === undefined ? "text" : "name" });
      if (colon !== undefined) parts.push({ text: colon, kind: "rest" });
    }
    end = match.index + whole.length;
  }
  if (end < json.length) parts.push({ text: json.slice(end), kind: "rest" });
  return parts;
}

export function ColouredJson({ text }: { text: string }) {
  return (
    <code>
      {partsOfJson(text).map(({ text, kind }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are a sequence and have no other name
        <span key={place} className={looks[kind]}>
          {text}
        </span>
      ))}
    </code>
  );
}
