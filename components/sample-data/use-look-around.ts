import { useQueryClient } from "@tanstack/react-query";
import { type SampleData, useSampleData } from "./use-sample-data.ts";

/**
 * Loads the sample data and goes Home, for those who may, while it is not loaded; null for all others, and until that is
 * known. `asked`: false while no one is shown the offer, so that it need not be known.
 */
export function useLookAround(
  workspaceId: string,
  go: (href: string) => void,
  asked = true,
  initial?: SampleData,
): (() => Promise<void>) | null {
  const { data } = useSampleData(workspaceId, asked, initial);
  const queries = useQueryClient();
  if (!data || data.loaded || !data.may_change) return null;
  return async () => {
    const { loadSample } = await import("./load-sample.ts");
    if (!(await loadSample(workspaceId))) return;
    await queries.invalidateQueries();
    go(`/${workspaceId}/home`);
  };
}
