type Option = { value: string; label: string; disabled?: boolean };

/**
 * The option that typed letters lead to, as in a native select: the next one after `current` whose label begins with
 * them. One letter typed several times walks through the options that begin with it.
 */
export function optionByLetters<O extends Option>(
  options: readonly O[],
  current: string | undefined,
  letters: string,
): O | undefined {
  const isRepeated = [...letters].every((letter) => letter === letters[0]);
  const wanted = (isRepeated ? letters.slice(0, 1) : letters).toLowerCase();
  const usable = options.filter((option) => !option.disabled);
  const at = usable.findIndex((option) => option.value === current);
  // A single letter moves on; more letters may stay with the option that they have led to.
  const from = wanted.length === 1 ? at + 1 : Math.max(at, 0);
  const turned = [...usable.slice(from), ...usable.slice(0, from)];
  return turned.find((option) => option.label.toLowerCase().startsWith(wanted));
}
