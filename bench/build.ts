// Builds the project and the benchmarks as users get them: plain JavaScript. Node would run the sources as well, but
// taking the types off in two threads costs it 40 MB that no installed program has.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file of the child, built. */
export function buildChild(project: string, folder: string): string {
  const built = join(folder, "built");
  mkdirSync(built);
  const settings = {
    extends: join(project, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: false,
      isolatedDeclarations: false,
      allowImportingTsExtensions: false,
      rootDir: project,
      outDir: built,
    },
    include: [join(project, "src"), join(project, "bench")],
    exclude: [join(project, "src", "**", "*.test.ts")],
  };
  const settingsFile = join(folder, "tsconfig.json");
  writeFileSync(settingsFile, JSON.stringify(settings));
  const compiler = join(project, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", settingsFile], { encoding: "utf8" });
  const child = join(built, "bench", "child.js");
  if (!existsSync(child)) throw new Error(`The benchmarks could not be built:\n${stdout}`);
  cpSync(join(project, "sql"), join(built, "sql"), { recursive: true });
  cpSync(join(project, "package.json"), join(built, "package.json"));
  symlinkSync(join(project, "node_modules"), join(built, "node_modules"));
  return child;
}
