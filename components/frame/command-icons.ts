import { FilePlus, FlaskConical, type LucideIcon, PencilLine, Upload, UserPlus } from "lucide-react";

/** Icons of the frame's commands that only the palette shows, by the command's id. */
export const commandIcons: Readonly<Record<string, LucideIcon>> = {
  "add-person": UserPlus,
  "add-note": FilePlus,
  import: Upload,
  "write-icp": PencilLine,
  "sample-data": FlaskConical,
};
