import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { askSecret } from "./ask-secret.ts";

function createKeyboard(): {
  readonly parts: NonNullable<Parameters<typeof askSecret>[1]>;
  readonly press: (keys: string) => void;
  readonly seen: { readonly written: string[]; readonly raw: boolean[]; readonly ended: number[] };
} {
  const emitter = new EventEmitter();
  const seen = { written: [] as string[], raw: [] as boolean[], ended: [] as number[] };
  const keyboard = Object.assign(emitter, {
    setRawMode: (isRaw: boolean) => void seen.raw.push(isRaw),
    resume: () => {},
    pause: () => {},
  });
  const parts = {
    keyboard: keyboard as unknown as NonNullable<Parameters<typeof askSecret>[1]>["keyboard"],
    write: (text: string) => void seen.written.push(text),
    end: (exitCode: number) => void seen.ended.push(exitCode),
  };
  return { parts, press: (keys) => void emitter.emit("data", Buffer.from(keys)), seen };
}

test("nothing of what is typed is shown, and a key can be taken back", async () => {
  const { parts, press, seen } = createKeyboard();
  const asked = askSecret("API_KEY: ", parts);
  press("hux");
  press("\u007F");
  press("nter\u{1F511}2\r");
  expect(await asked).toBe("hunter\u{1F511}2");
  expect(seen).toEqual({ written: ["API_KEY: ", "\n"], raw: [true, false], ended: [] });
});

test("Ctrl+C ends the program, and gives the terminal back", async () => {
  const { parts, press, seen } = createKeyboard();
  const asked = askSecret("API_KEY: ", parts);
  press("hun\u0003");
  await expect(asked).rejects.toThrow("Nothing was given.");
  expect(seen.ended).toEqual([130]);
  expect(seen.raw).toEqual([true, false]);
});
