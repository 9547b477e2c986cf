import { toast } from "#components/ui/toaster.tsx";
import { whileIdle } from "#components/ui/while-idle.ts";
import type { ExportRequest } from "./calls.ts";

const load = () => import("./export-file.ts");
whileIdle(load);

/** Has a file made of a list, downloads it, and tells the reader how it goes. Its code loads when the page is idle. */
export async function startExport(workspaceId: string, wanted: ExportRequest): Promise<void> {
  const made = await load().catch(() => null);
  if (made) return made.exportFile(workspaceId, wanted);
  toast.error("The export did not start.", { description: "Check your connection and try again." });
}
