/** What the frame shows of the session; serialisable, since it crosses from the server to the browser. */
type FrameWorkspace = { id: string; slug?: string | null; name: string };
export type FrameUser = { name?: string | null; email: string };

export type FrameProps = { workspace: FrameWorkspace; workspaces: readonly FrameWorkspace[]; user: FrameUser };
