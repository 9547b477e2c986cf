import { problemOf } from "#components/records/problem.ts";
import { toast } from "#components/ui/toaster.tsx";
import { type Export, type ExportRequest, exportCallsOf, fileAddress } from "./calls.ts";
import { countOf } from "./words.ts";

const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 2_000;
/** From here on the reader is told where the file will be. */
const LONG_MS = 4_000;
const FOR_NOW_MS = 600_000;

const isUnderWay = ({ state }: Export) => state === "queued" || state === "running";
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Has a file made of a list and downloads it when it is complete. A toast tells how far it is; it goes on when the page is
 * left, and is then among the exports of the settings.
 */
export async function exportFile(workspaceId: string, wanted: ExportRequest): Promise<void> {
  const calls = exportCallsOf(workspaceId);
  const id = `export-${wanted.what}`;
  const began = Date.now();
  toast.message("Preparing the file…", { id, duration: FOR_NOW_MS });
  try {
    let made = await calls.create(wanted);
    for (let wait = FIRST_LOOK_MS; isUnderWay(made); wait = Math.min(wait * 1.5, LONGEST_LOOK_MS)) {
      await pause(wait);
      made = await calls.get(made.id);
      if (Date.now() - began > LONG_MS && isUnderWay(made))
        toast.message(`Preparing the file: ${countOf(made.what, made.rows)} so far.`, {
          id,
          duration: FOR_NOW_MS,
          description: "You can leave this page. The file will be in Settings, under Export.",
        });
    }
    if (made.state !== "done") {
      toast.error(made.message ?? "The export was stopped.", { id });
      return;
    }
    download(workspaceId, made.id);
    toast.success(`${countOf(made.what, made.rows)} exported.`, {
      id,
      duration: 10_000,
      description: "The file is kept for 7 days in Settings, under Export.",
      action: { label: "Download again", onClick: () => download(workspaceId, made.id) },
    });
  } catch (error) {
    toast.error(`The export did not start. ${problemOf(error).message}`, { id });
  }
}

function download(workspaceId: string, id: string): void {
  const link = document.createElement("a");
  link.href = fileAddress(workspaceId, id);
  link.download = "";
  link.click();
}
