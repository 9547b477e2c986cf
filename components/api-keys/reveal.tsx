import { TriangleAlert } from "lucide-react";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { curlOf } from "./curl.ts";

/** The one time a key is shown. */
export function Reveal({ apiKey }: { apiKey: string }) {
  return (
    <>
      <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>Copy it now and keep it like a password: it is not stored and cannot be shown again.</span>
      </p>
      <CodeBlock title="API key" code={apiKey} wrap />
      <CodeBlock title="Try it" code={curlOf(window.location.origin, apiKey)} wrap />
    </>
  );
}
