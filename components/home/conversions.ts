/**
 * For each stage, of the people who are at the stage before or further, the share at this stage or further: "34%". Null
 * for the first, and where no one got as far.
 */
export function conversions(people: readonly number[]): (string | null)[] {
  const reached = people.map((_, place) => people.slice(place).reduce((sum, count) => sum + count, 0));
  return reached.map((count, place) => {
    const before = reached[place - 1];
    return before ? `${Math.round((count / before) * 100)}%` : null;
  });
}
