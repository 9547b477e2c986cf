import { callOperation } from "#components/api.ts";
import { loadSampleData } from "#components/operations/sample-data.ts";
import { problemOf } from "#components/records/problem.ts";
import { toast } from "#components/ui/toaster.tsx";

/** Loads the sample and tells the reader how it went; true when it is there. */
export async function loadSample(workspaceId: string): Promise<boolean> {
  try {
    const { people, companies } = await callOperation(loadSampleData, workspaceId, {});
    toast.success(`${people} made-up people at ${companies} companies are here.`, {
      description: "Remove them in the settings of the workspace. What you add yourself stays.",
    });
    return true;
  } catch (error) {
    toast.error("The sample data could not be loaded.", { description: problemOf(error).message });
    return false;
  }
}
