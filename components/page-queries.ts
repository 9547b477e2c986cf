import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from "@tanstack/react-query";

/**
 * What a page has read. A first read that is under way when something changes is read once more after it: by itself the library
 * waits for it, and keeps an answer from before the change.
 */
export class PageQueries extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    if (filters?.refetchType === "none") return super.invalidateQueries(filters, options);
    const underWay = this.getQueryCache().findAll({ ...filters, type: "active", fetchStatus: "fetching" });
    const first = new Set(underWay.filter(({ state }) => state.data === undefined));
    await super.invalidateQueries(filters, options);
    const early = [...first].filter(({ state }) => state.data !== undefined);
    // Those that ask for the same at once share a read.
    if (early.length > 0)
      await this.refetchQueries(
        { type: "active", predicate: (query) => early.includes(query) },
        { cancelRefetch: false },
      );
  }
}
