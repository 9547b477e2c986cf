"use client";

import { CopyNow } from "#components/records/copy-now.tsx";
import { OneTimeSecret } from "#components/records/one-time-secret.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";

type SigningSecretProps = { title: string; secret: string; onDone: () => void };

/** The one time a signing secret is shown, with the code that checks it. Goes into a Dialog. */
export const SigningSecret = ({ title, secret, onDone }: SigningSecretProps) => (
  <OneTimeSecret title={title} noun="signing secret" onDone={onDone}>
    <CopyNow>Copy the signing secret now: it is kept encrypted and cannot be shown again.</CopyNow>
    <CodeBlock title="Signing secret" code={secret} wrap />
    <CodeBlock title="Check it in Node (npm install standardwebhooks)" code={receiverOf(secret)} wrap />
  </OneTimeSecret>
);

const receiverOf = (secret: string): string => `import { Webhook } from "standardwebhooks";

const webhook = new Webhook("${secret}");
// rawBody: the bytes as they came, before any JSON parser
const event = webhook.verify(rawBody, request.headers);`;
