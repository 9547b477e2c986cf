/*
 * Of two Tailwind classes for the same property the later one wins. tailwind-merge does this for every class there is
 * and adds 9 kB to every page; this knows only the kinds of classes we use. `merge.test.ts` checks that both agree on
 * any two classes of the project, so it fails for a class of a new kind until that is added here.
 */

/** Classes that are a whole word, by the property they set. */
const words = table({
  display: "block inline-block inline flex inline-flex grid inline-grid table contents hidden",
  position: "static fixed absolute relative sticky",
  visibility: "visible invisible",
  "sr-only": "sr-only not-sr-only",
  line: "underline overline line-through no-underline",
  "font-style": "italic not-italic",
  case: "uppercase lowercase capitalize normal-case",
  numbers: "tabular-nums normal-nums",
  ellipsis: "truncate text-ellipsis text-clip",
  "border-collapse": "border-collapse border-separate",
  // Unlike the others, not named by the part before the last dash.
  "divide-x": "divide-x",
  "divide-y": "divide-y",
});

/** Prefixes whose property depends on what follows, or whose values have dashes: the first match counts. */
const shared: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  text: [
    [/^(xs|sm|base|lg|\d?xl|\[[\d.]+(rem|px|em)\])$/, "font-size"],
    [/^(left|center|right|justify|start|end)$/, "text-align"],
    [/^(balance|pretty|wrap|nowrap)$/, "text-wrap"],
    [/./, "text-color"],
  ],
  font: [
    [/^(thin|extralight|light|normal|medium|semibold|bold|extrabold|black)$/, "font-weight"],
    [/./, "font-family"],
  ],
  flex: [
    [/^(row|col)/, "flex-direction"],
    [/^(wrap|nowrap)/, "flex-wrap"],
    [/./, "flex"],
  ],
  border: [
    [/^spacing/, "border-spacing"],
    [/^([trblxy])(-\d+)?$/, "border-$1"],
    [/^\d*$/, "border-width"],
    [/^(solid|dashed|dotted|double|none)$/, "border-style"],
    [/^([trblxy])-/, "border-color-$1"],
    [/./, "border-color"],
  ],
  outline: [
    [/^offset/, "outline-offset"],
    [/^(none|solid|dashed|hidden)$/, "outline-style"],
    [/^\d*$/, "outline-width"],
    [/./, "outline-color"],
  ],
  bg: [
    [/^(none|gradient|linear|radial)/, "background-image"],
    [/^(cover|contain|auto)$/, "background-size"],
    [/./, "background-color"],
  ],
  stroke: [
    [/^\d/, "stroke-width"],
    [/./, "stroke"],
  ],
  decoration: [
    [/^\d|^auto|^from-font/, "decoration-thickness"],
    [/./, "decoration-color"],
  ],
  snap: [
    [/^(start|end|center|align-none)$/, "snap-align"],
    [/^(mandatory|proximity)$/, "snap-strictness"],
    [/^(normal|always)$/, "snap-stop"],
    [/./, "snap-type"],
  ],
  rounded: [[/^([trbl]+)(?:-|$)/, "rounded-$1"]],
  animate: [[/./, "animate"]],
  cursor: [[/./, "cursor"]],
  fill: [[/./, "fill"]],
  whitespace: [[/./, "whitespace"]],
};

/** Other properties that a property also sets. */
const contains: Readonly<Record<string, readonly string[]>> = {
  size: ["w", "h"],
  p: ["px", "py", "pt", "pr", "pb", "pl"],
  px: ["pr", "pl"],
  py: ["pt", "pb"],
  m: ["mx", "my", "mt", "mr", "mb", "ml"],
  mx: ["mr", "ml"],
  my: ["mt", "mb"],
  inset: ["inset-x", "inset-y", "top", "right", "bottom", "left"],
  "inset-x": ["right", "left"],
  "inset-y": ["top", "bottom"],
  gap: ["gap-x", "gap-y"],
  "font-size": ["leading"],
  flex: ["basis", "grow", "shrink"],
  overflow: ["overflow-x", "overflow-y"],
  translate: ["translate-x", "translate-y"],
  "line-clamp": ["display", "overflow"],
  rounded: ["rounded-tl", "rounded-tr", "rounded-bl", "rounded-br", "rounded-t", "rounded-r", "rounded-b", "rounded-l"],
  "rounded-t": ["rounded-tl", "rounded-tr"],
  "rounded-r": ["rounded-tr", "rounded-br"],
  "rounded-b": ["rounded-bl", "rounded-br"],
  "rounded-l": ["rounded-tl", "rounded-bl"],
  "border-width": ["border-x", "border-y", "border-t", "border-r", "border-b", "border-l"],
  "border-x": ["border-r", "border-l"],
  "border-y": ["border-t", "border-b"],
  "border-color": [
    "border-color-x",
    "border-color-y",
    "border-color-t",
    "border-color-r",
    "border-color-b",
    "border-color-l",
  ],
};

const merged = new Map<string, string>();

export function merge(classes: string): string {
  let result = merged.get(classes);
  if (result === undefined) {
    if (merged.size > 2000) merged.clear();
    result = withoutOverridden(classes);
    merged.set(classes, result);
  }
  return result;
}

function withoutOverridden(classes: string): string {
  const set = new Set<string>();
  const kept: string[] = [];
  for (const name of classes.trim().split(/\s+/).reverse()) {
    const { condition, property } = read(name);
    if (set.has(condition + property)) continue;
    for (const each of [property, ...(contains[property] ?? [])]) set.add(condition + each);
    kept.push(name);
  }
  return kept.reverse().join(" ");
}

/** `max-md:hover:!h-8`: when it counts (`max-md:hover:!`), and the property it sets. */
function read(name: string): { condition: string; property: string } {
  const at = /^(?:(?:\[[^\]]*\]|\([^)]*\)|[^[(:])*:(?=.))*/.exec(name)?.[0].length ?? 0;
  const bare = name.slice(at);
  const plain = bare.replace(/^!|!$/, "");
  return { condition: name.slice(0, at) + (plain === bare ? "" : "!"), property: propertyOf(plain) };
}

function propertyOf(name: string): string {
  const [, arbitrary] = /^\[([^:]+):/.exec(name) ?? [];
  if (arbitrary) return `[${arbitrary}`;
  const positive = name.replace(/^-/, "");
  const [, start = "", rest = ""] = /^([a-z]+)-?(.*)$/.exec(positive) ?? [];
  const word = words.get(name);
  if (word) return word;
  for (const [pattern, property] of shared[start] ?? []) {
    const fits = pattern.exec(rest);
    if (fits) return property.replace("$1", fits[1] ?? "");
  }
  // `max-w-3xl`, `max-w-[40ch]`, `max-w-(--room)`: up to the value.
  return positive.replace(/-(\[.*|\(.*|[^-]*)$/, "");
}

function table(groups: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([property, names]) => names.split(" ").map((name) => [name, property])),
  );
}
