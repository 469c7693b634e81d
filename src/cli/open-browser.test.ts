import { expect, test } from "vitest";
import { findOpener, type Screenside } from "./open-browser.ts";

const here: Screenside = { platform: "linux", environment: { DISPLAY: ":0" }, stdout: { isTTY: true } };

test("a browser is opened by what the system has for it", () => {
  expect(findOpener(here)).toEqual(["xdg-open"]);
  expect(findOpener({ ...here, environment: { WAYLAND_DISPLAY: "wayland-0" } })).toEqual(["xdg-open"]);
  expect(findOpener({ ...here, platform: "darwin", environment: {} })).toEqual(["open"]);
  expect(findOpener({ ...here, platform: "win32", environment: {} })?.[0]).toBe("cmd");
});

test.each<[string, Partial<Screenside>]>([
  ["the output goes into a file", { stdout: { isTTY: false } }],
  ["there is no screen, as in a container", { environment: {} }],
  ["somebody came from another machine", { environment: { DISPLAY: ":0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" } }],
  ["a machine tests it", { environment: { DISPLAY: ":0", CI: "true" } }],
  ["nobody wants it", { environment: { DISPLAY: ":0", STEPWELL_NO_OPEN: "1" } }],
])("none is opened when %s", (_, change) => {
  expect(findOpener({ ...here, ...change })).toBeNull();
});
