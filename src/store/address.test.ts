import { describe, expect, test } from "vitest";
import { isServerAddress, showAddress, splitSchema } from "./address.ts";

describe("an address", () => {
  test.each([
    ["stepwell.db", false],
    [":memory:", false],
    ["postgres.db", false],
    ["postgres:/etc", false],
    ["postgres://localhost/app", true],
    ["postgresql://localhost/app", true],
    ["POSTGRES://localhost/app", true],
  ])("%s: of a server %s", (address, isServer) => {
    expect(isServerAddress(address)).toBe(isServer);
  });

  test.each([
    ["postgres://ann:secret@host:5432/app", "postgres://ann@host:5432/app"],
    ["postgres://ann@host/app?schema=a&sslmode=require", "postgres://ann@host/app?schema=a&sslmode=require"],
    ["postgres://host/app", "postgres://host/app"],
    ["postgres://ann:se@c/r?et:@host/app", "postgres://ann@host/app"],
    ["postgres://:secret@host/app", "postgres://host/app"],
    ["postgres://ann@host/app?password=secret&schema=a", "postgres://ann@host/app?schema=a"],
    ["postgres://ann@host/app?PGPASSWORD=secret", "postgres://ann@host/app"],
    ["files/a:b@c.db", "files/a:b@c.db"],
  ])("%s is shown as %s", (address, shown) => {
    expect(showAddress(address)).toBe(shown);
  });

  test("names a schema, or the usual one", () => {
    expect(splitSchema("postgres://host/app")).toEqual({ address: "postgres://host/app", schema: "stepwell" });
    expect(splitSchema("postgres://host/app?schema=a&sslmode=require")).toEqual({
      address: "postgres://host/app?sslmode=require",
      schema: "a",
    });
  });
});
