#!/usr/bin/env node
// The command `stepwell`. Nothing is imported before it is known that this Node can run it: an older one would stop at
// an import that it does not know, with a message that helps nobody.

let hasReader = true;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `error: Stepwell needs Node 22.18 or newer, and this is Node ${process.versions.node}.\n` +
      "hint: install a newer one (https://nodejs.org); in a clone, npm start and npm run … bring their own.\n",
  );
  process.exitCode = 1;
} else {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endWithReader);
  const { runCommandLine } = await import("./command-line.ts");
  process.exitCode = await runCommandLine(process.argv.slice(2));
}

/** Whoever read the output has gone, as `head` does: there is nobody left to talk to. A run is left in good order. */
function endWithReader(error: Error): void {
  if (!("code" in error && error.code === "EPIPE")) throw error;
  if (!hasReader) return;
  hasReader = false;
  if (process.listenerCount("SIGTERM") === 0) process.exit(0);
  process.emit("SIGTERM", "SIGTERM");
}
