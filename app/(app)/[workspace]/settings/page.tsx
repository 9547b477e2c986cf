import type { Metadata } from "next";
import { PasskeysCard } from "#components/settings/passkeys-card.tsx";
import { PasswordCard } from "#components/settings/password-card.tsx";
import { ProfileCard } from "#components/settings/profile-card.tsx";
import { SecondFactorCard } from "#components/settings/second-factor-card.tsx";
import { SessionsCard } from "#components/settings/sessions-card.tsx";
import { requireMember, visitorOf } from "#lib/auth/member.ts";
import { takesPasskeys } from "#lib/auth/passkeys.ts";
import { getProfile, listSessions } from "#lib/domain/workspace/users/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Profile" };

export default async function ProfilePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { session } = await requireMember((await params).workspace);
  const visitor = visitorOf(session);
  const [profile, sessions] = await Promise.all([getProfile.execute(visitor, {}), listSessions.execute(visitor, {})]);
  return (
    <>
      <ProfileCard name={profile.name ?? ""} email={profile.email} providers={profile.providers} />
      <PasswordCard email={profile.email} hasPassword={profile.has_password} />
      <PasskeysCard passkeys={profile.passkeys} possible={takesPasskeys(await addressOfPage())} />
      <SecondFactorCard
        app={profile.second_factor}
        hasPasskeys={profile.passkeys.length > 0}
        recoveryCodesLeft={profile.recovery_codes_left}
      />
      <SessionsCard initial={sessions} />
    </>
  );
}
