import { Kanban, Rows3 } from "lucide-react";
import type { ReactNode } from "react";
import { Segments } from "#components/ui/segments.tsx";

/** How a list is shown: as a table or as a board. */
export function LayoutSwitch({ board, onBoard }: { board: boolean; onBoard: (board: boolean) => void }) {
  return (
    <Segments
      label="Layout"
      segments={[
        { value: "table", label: <Choice icon={<Rows3 />} words="Table" /> },
        { value: "board", label: <Choice icon={<Kanban />} words="Board" /> },
      ]}
      value={board ? "board" : "table"}
      onValue={(value) => onBoard(value === "board")}
    />
  );
}

const Choice = ({ icon, words }: { icon: ReactNode; words: string }) => (
  <span className="flex items-center gap-1.5 [&_svg]:size-4">
    <span aria-hidden="true">{icon}</span>
    <span className="max-[1360px]:sr-only">{words}</span>
  </span>
);
