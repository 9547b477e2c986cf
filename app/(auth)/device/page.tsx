import type { Metadata } from "next";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { DeviceCodeForm } from "#components/auth/device-code-form.tsx";
import { DeviceDecision } from "#components/auth/device-decision.tsx";
import { DeviceFacts } from "#components/auth/device-facts.tsx";
import { DeviceResult } from "#components/auth/device-result.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { requireSession, visitorHere } from "#lib/auth/member.ts";
import { isFault } from "#lib/core/errors.ts";
import { getDeviceLogin } from "#lib/domain/access/device-logins/service.ts";

export const metadata: Metadata = { title: "Sign in a program", referrer: "no-referrer" };

type Search = Promise<{ user_code?: string | string[] }>;

export default async function DevicePage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession();
  const { user_code } = await searchParams;
  const typed = typeof user_code === "string" ? user_code.slice(0, 50) : "";
  const footer = `You are signed in as ${session.email}.`;
  if (typed === "") return <EnterCode footer={footer} />;

  const visitor = await visitorHere(session);
  const answer = await getDeviceLogin.execute(visitor, { user_code: typed }).catch((error: unknown) => {
    if (isFault(error)) return error;
    throw error;
  });
  if (isFault(answer)) {
    const problem =
      answer.code === "login_not_found"
        ? "No program is waiting with this code. Compare it with what the program shows, or start the login again there."
        : answer.message;
    return <EnterCode footer={footer} typed={typed} problem={problem} />;
  }
  const { login, workspaces } = answer;
  if (login.status !== "pending") return <DeviceResult status={login.status} />;
  const facts = <DeviceFacts login={login} isHere={login.ip === visitor.ip} />;
  if (workspaces.length === 0) {
    return (
      <AuthCard
        title="You have no workspace yet"
        description="A program signs in to a workspace. Create one, then open this page again."
        footer={footer}
      >
        <p>
          <TextLink href="/new">Create a workspace</TextLink>
        </p>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title={login.host ? `Sign in on ${login.host}?` : "Sign in a program?"}
      description="Continue only if you started this yourself, and the program shows the same code."
      footer={footer}
    >
      {facts}
      <DeviceDecision userCode={login.user_code} asked={login.scopes} workspaces={workspaces} />
    </AuthCard>
  );
}

function EnterCode({ footer, typed = "", problem }: { footer: string; typed?: string; problem?: string }) {
  return (
    <AuthCard
      title="Sign in a program"
      description="Type the code that the program shows, such as rapport login in a terminal."
      footer={footer}
    >
      <DeviceCodeForm typed={typed} problem={problem} />
    </AuthCard>
  );
}
