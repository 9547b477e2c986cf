/** The parts of the session that the frame shows; serialisable, since the server sends them to the browser. */
type FrameWorkspace = { id: string; slug?: string | null; name: string };
export type FrameUser = {
  name?: string | null;
  email: string;
  /** Their role in the workspace lets them read only. */
  readsOnly?: boolean;
};

export type FrameProps = { workspace: FrameWorkspace; workspaces: readonly FrameWorkspace[]; user: FrameUser };
