/** The type of `Promise.all` for these branches. */
type Answers<T extends readonly unknown[]> = { -readonly [Place in keyof T]: Awaited<T[Place]> };

/**
 * The results of branches that run at the same time, as `Promise.all`, but every branch is awaited to its end before
 * the first failure is thrown. So no branch goes on in a transaction that is being rolled back because of another.
 */
export async function together<const T extends readonly unknown[]>(branches: T): Promise<Answers<T>> {
  let failure: { first: unknown } | undefined;
  const answers = await Promise.all(
    branches.map((branch) =>
      Promise.resolve(branch).catch((error: unknown) => {
        failure ??= { first: error };
      }),
    ),
  );
  if (failure) throw failure.first;
  return answers as Answers<T>;
}
