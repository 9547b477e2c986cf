import type { ReactNode } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import type { DeviceLogin } from "#lib/domain/access/device-logins/contract.ts";

/** The code, and what is known of the program that shows it. Its names are its own words. */
export function DeviceFacts({ login, isHere }: { login: DeviceLogin; isHere: boolean }) {
  return (
    <>
      <p className="rounded-md bg-muted py-3 text-center font-medium font-mono text-xl tracking-widest">
        {login.user_code}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Fact name="Program">{login.client ?? "does not say"}</Fact>
        <Fact name="Machine">{login.host ?? "does not say"}</Fact>
        <Fact name="Address">
          {login.ip}{" "}
          <span className={isHere ? "text-muted-foreground" : "font-medium text-warning-text"}>
            {isHere ? "(the same as yours)" : "(not your address)"}
          </span>
        </Fact>
        <Fact name="Started">
          <RelativeTime value={login.started_at} />
        </Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="break-words">{children}</dd>
    </>
  );
}
