import { describe, expect, test } from "vitest";
import { Room } from "./room.ts";

function roomAfter(...results: readonly (string | null)[]): number {
  const room = new Room();
  for (let round = 0; round < 500; round++) for (const result of results) room.learn(result);
  return room.text?.length ?? 0;
}

describe("the room of a call that begins", () => {
  test("is none as long as nothing is known", () => {
    expect(new Room().text).toBeNull();
  });

  test("is as much as results take, and what they take on the average", () => {
    expect(roomAfter("x".repeat(112))).toBe(112);
    expect(roomAfter("x".repeat(40), "x".repeat(120))).toBe(80);
    expect(roomAfter("ж".repeat(56))).toBe(112);
  });

  test("follows results that become short, or none at all", () => {
    const room = new Room();
    for (let round = 0; round < 500; round++) room.learn("x".repeat(150));
    for (let round = 0; round < 500; round++) room.learn(null);
    expect(room.text).toBeNull();
  });

  test("is none where results are long, or some of them", () => {
    expect(roomAfter("x".repeat(300))).toBe(0);
    expect(roomAfter("x".repeat(60_000))).toBe(0);
    expect(roomAfter("x".repeat(20), "x".repeat(500))).toBe(0);
  });
});
