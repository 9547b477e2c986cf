"use client";

import { TriangleAlert } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { DialogBody, DialogClose, DialogContent, DialogFooter } from "#components/ui/dialog.tsx";

/** The one time a signing secret is shown. Goes into a Dialog; it stays until it is closed on purpose. */
export function SecretContent({ title, secret }: { title: string; secret: string }) {
  return (
    <DialogContent
      title={title}
      size="md"
      onInteractOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
      }}
    >
      <DialogBody>
        <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>Copy the signing secret now: it is kept encrypted and cannot be shown again.</span>
        </p>
        <CodeBlock title="Signing secret" code={secret} wrap />
        <CodeBlock title="Check it in Node (npm install standardwebhooks)" code={receiverOf(secret)} wrap />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Copied, done</Button>
        </DialogClose>
      </DialogFooter>
    </DialogContent>
  );
}

const receiverOf = (secret: string): string => `import { Webhook } from "standardwebhooks";

const webhook = new Webhook("${secret}");
// rawBody: the bytes as they came, before any JSON parser
const event = webhook.verify(rawBody, request.headers);`;
