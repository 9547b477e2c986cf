import { beforeAll, describe, expect, test } from "vitest";
import { signUp } from "#lib/domain/workspace/users/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { signedIn, stranger } from "#lib/testing/visitor.fixture.ts";
import { signInWithPassword } from "./sign-in.ts";

const password = "correct horse battery";
const logged = useLog();
let count = 0;

async function somebody() {
  const email = `person${++count}@acme.example`;
  const { user_id: id } = await signUp.execute(stranger(`203.0.113.${count}`), {
    email,
    password,
    workspace_name: "W",
  });
  return { id, email };
}

const attempt = (email: string, tried: string, ip: string) =>
  signInWithPassword({ email, password: tried, ip }).then(
    (user) => (user ? "in" : "no"),
    (error) => error.code as string,
  );

beforeAll(() => bootWith({ SIGNUPS: "open" }));

describe("signing in with a password", () => {
  test("finds the account by its address in any case", async () => {
    const { id, email } = await somebody();
    expect(await signInWithPassword({ email: ` ${email.toUpperCase()} `, password, ip: "192.0.2.1" })).toMatchObject({
      id,
    });
  });

  test("accepts a password typed in another Unicode form", async () => {
    const email = `person${++count}@acme.example`;
    await signUp.execute(stranger(), { email, password: "Schl\u00fcsselbund im Flur", workspace_name: "W" });
    expect(await attempt(email, "Schlu\u0308sselbund im Flur", "192.0.2.1")).toBe("in");
  });

  test("gives the same answer in the same time for an unknown address, a wrong password, and an account without one", async () => {
    const [known, without] = [await somebody(), await somebody()];
    await inspect("UPDATE users SET password_hash = NULL WHERE id = $1", [without.id]);
    // In turns, so that a slow machine affects all of them.
    const times: Record<string, number[]> = {
      [known.email]: [],
      "nobody@acme.example": [],
      [without.email]: [],
      "not an address": [],
    };
    for (let turn = 0; turn < 12; turn++) {
      for (const [email, taken] of Object.entries(times)) {
        const started = performance.now();
        expect(await attempt(email, "a wrong password", `198.51.100.${turn}`)).toBe("no");
        taken.push(performance.now() - started);
      }
    }
    // The fastest of each is the hashing without noise; a path that skipped the hashing would be ten times as fast.
    const fastest = Object.values(times).map((taken) => Math.min(...taken));
    expect(Math.max(...fastest) / Math.min(...fastest), fastest.join(", ")).toBeLessThan(4);
  });

  test("lets one guesser try five times a minute, then wait longer each time", async () => {
    const { email } = await somebody();
    const ip = "192.0.2.77";
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push(await attempt(email, "guess", ip));
    expect(answers).toEqual([...Array(5).fill("no"), "rate_limited"]);
    expect(await attempt(email, password, ip)).toBe("rate_limited");
    // Once each time: a flood must not fill the log.
    const lines = logged.lines().filter(({ msg }) => msg.startsWith("too many attempts"));
    expect(lines).toMatchObject([{ throttle: "sign-in", wait_seconds: 15 }]);
    expect(logged.text()).not.toContain(email);
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      await inspect("UPDATE throttles SET expire = 0 WHERE key LIKE 'sign-in:%'");
      for (let n = 0; n < 6; n++) {
        await signInWithPassword({ email, password: "guess", ip }).catch((error) =>
          waits.push(error.extras.retry_after),
        );
      }
    }
    expect(waits).toEqual([30, 60, 120]);
  });

  test("counts guesses that come at once, and says once that they are slowed down", async () => {
    const { email } = await somebody();
    let told = 0;
    const whenSlowed = () => {
      told++;
    };
    const credentials = { email, password: "guess", ip: "192.0.2.78", whenSlowed };
    const tries = Array.from({ length: 30 }, () => signInWithPassword(credentials));
    const answers = await Promise.allSettled(tries);
    expect([answers.filter(({ status }) => status === "fulfilled").length, told]).toEqual([5, 1]);
  });

  test("forgets the guesses after the right password", async () => {
    const { email } = await somebody();
    const ip = "192.0.2.79";
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) expect(await attempt(email, "guess", ip)).toBe("no");
      expect(await attempt(email, password, ip)).toBe("in");
    }
  });

  test("stops many guessers at one account, but not its owner where they have signed in before", async () => {
    const { id, email } = await somebody();
    await signedIn(id, "192.0.2.80");
    const answers = [];
    for (let n = 0; n < 22; n++) answers.push(await attempt(email, "guess", `198.18.0.${n}`));
    expect(answers.slice(20)).toEqual(["rate_limited", "rate_limited"]);
    expect(await attempt(email, password, "198.18.0.99")).toBe("rate_limited");
    expect(await attempt(email, password, "192.0.2.80")).toBe("in");
  });

  test("counts a whole IPv6 network as one guesser", async () => {
    const { email } = await somebody();
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push(await attempt(email, "guess", `2001:db8:1:2:${n}::1`));
    expect(answers.at(-1)).toBe("rate_limited");
    expect(await attempt(email, "guess", "2001:db8:1:3::1")).toBe("no");
  });

  test("keeps neither address nor e-mail in the counters", async () => {
    const rows = await inspect<{ key: string }>("SELECT key FROM throttles");
    expect(rows.length).toBeGreaterThan(5);
    for (const { key } of rows) expect(key).toMatch(/^[a-z-]+:[\w-]{43}$/);
  });

  test("renews a hash that was made with other cost parameters", async () => {
    const { id, email } = await somebody();
    const cheap = "$argon2id$v=19$m=4096,t=3,p=1$";
    const { hash } = await import("@node-rs/argon2");
    await inspect("UPDATE users SET password_hash = $2 WHERE id = $1", [
      id,
      await hash(password, { memoryCost: 4096, timeCost: 3, parallelism: 1 }),
    ]);
    expect(await attempt(email, password, "192.0.2.90")).toBe("in");
    const [row] = await inspect<{ hash: string }>("SELECT password_hash AS hash FROM users WHERE id = $1", [id]);
    expect(row?.hash.startsWith(cheap)).toBe(false);
    expect(await attempt(email, password, "192.0.2.90")).toBe("in");
  });
});
