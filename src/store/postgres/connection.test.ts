import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { StepwellError } from "../../error.ts";
import { openSettings } from "./connection.ts";

describe("an address", () => {
  it("is shown without its password", () => {
    const { name, config } = openSettings("postgres://ann:p%40ss@db.example.com:6543/app?schema=flows");
    expect(name).toBe("postgres://ann@db.example.com:6543/app?schema=flows");
    expect(config).toMatchObject({
      user: "ann",
      password: "p@ss",
      host: "db.example.com",
      port: 6543,
      database: "app",
    });
  });

  it("may leave away what has a default, and name a socket", () => {
    const { schema, config } = openSettings("postgresql:///app?host=/run/postgresql");
    expect(schema).toBe("stepwell");
    expect(config).toMatchObject({ host: "/run/postgresql", database: "app" });
    expect(config).not.toHaveProperty("password");
    expect(openSettings("postgres://[::1]/app").config.host).toBe("::1");
  });

  it("has locks and a channel of its own for each schema", () => {
    const [one, other] = [openSettings("postgres://h/a?schema=one"), openSettings("postgres://h/a?schema=other")];
    expect(one.lockClass).not.toBe(other.lockClass);
    expect(one.channel).not.toBe(other.channel);
    expect(openSettings("postgres://other/b?schema=one").lockClass).toBe(one.lockClass);
    expect(one.lockClass).toBeGreaterThan(0);
  });

  it.each(["Public", "a-b", "1a", 'a"; drop schema public; --', "", "a".repeat(64)])(
    "is refused with a schema called %j",
    (schema) => {
      const address = `postgres://ann:secret@h/app?schema=${encodeURIComponent(schema)}`;
      expect(() => openSettings(address)).toThrow(StepwellError);
      expect(() => openSettings(address)).not.toThrow("secret");
    },
  );

  it.each(["mysql://h/app", "not an address", "/tmp/file.db"])("is refused when it is %j", (address) => {
    expect(() => openSettings(address)).toThrow(/postgres:\/\/user:password@host/u);
  });

  it("is refused with a setting that would not do what is meant", () => {
    expect(() => openSettings("postgres://h/app?options=-c%20fsync%3Doff")).toThrow('"options" is not known');
    expect(() => openSettings("postgres://h/app?sslmode=prefer")).toThrow("promises nothing");
  });

  it("says how the line is kept secret", () => {
    const folder = mkdtempSync(join(tmpdir(), "stepwell-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "root.crt");
    writeFileSync(file, "certificate");
    const tls = (query: string): unknown => openSettings(`postgres://h/app?${query}`).config.ssl;
    expect(tls("sslmode=disable")).toBe(false);
    expect(tls("sslmode=verify-full")).toEqual({});
    expect(tls("sslmode=require")).toMatchObject({ rejectUnauthorized: false });
    expect(tls(`sslmode=require&sslrootcert=${file}`)).toMatchObject({ rejectUnauthorized: true });
    expect(tls(`sslmode=verify-full&sslrootcert=${file}`)).toEqual({ ca: Buffer.from("certificate") });
    expect(() => tls(`sslmode=verify-full&sslrootcert=${file}x`)).toThrow("cannot be read");
  });
});
