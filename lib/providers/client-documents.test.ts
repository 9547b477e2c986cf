import { expect, test } from "vitest";
import { readClientDocument } from "./client-documents.ts";

test.each([
  "https://127.0.0.1/client.json",
  "https://[::1]/client.json",
  "https://[::ffff:127.0.0.1]/client.json",
  "https://10.0.0.1/client.json",
  "https://169.254.169.254/latest/meta-data",
  "https://0/client.json",
  "https://2130706433/client.json",
  "https://localhost/client.json",
])("%s is not asked: it is no address of the public internet", async (address) => {
  await expect(readClientDocument(address)).rejects.toThrow("not one of the public internet");
});

test("a document of a host that is not listed is not asked for", async () => {
  const asked = readClientDocument("https://client.example/client.json", ["hooks.example.com"]);
  await expect(asked).rejects.toThrow("not one that this server may reach");
});
