import { signInHref } from "#components/frame/nav.ts";
import type { Problem } from "./problem.ts";

/**
 * Why a form was refused. A reader who was signed out can sign in again in another tab, so that nothing typed is lost.
 */
export function Refusal({ problem, className }: { problem: Problem | null; className?: string }) {
  return (
    <p role="alert" className={`text-danger-text text-sm empty:hidden ${className ?? ""}`}>
      {problem?.signedOut ? (
        <>
          You are signed out.{" "}
          <a href={signInHref} target="_blank" rel="noreferrer" className="rounded-xs underline underline-offset-3">
            Sign in in another tab
          </a>
          , then send this again.
        </>
      ) : (
        problem?.message
      )}
    </p>
  );
}
