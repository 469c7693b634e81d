#!/usr/bin/env node
// The command `stepwell`. Nothing is imported before it is known that this Node can run it: an older one would stop at
// an import that it does not know, with a message that helps nobody.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `error: Stepwell needs Node 22.18 or newer, and this is Node ${process.versions.node}.\n` +
      "hint: install a newer one (https://nodejs.org); in a clone, npm start and npm run … bring their own.\n",
  );
  process.exitCode = 1;
} else {
  const { runCommandLine } = await import("./command-line.ts");
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
