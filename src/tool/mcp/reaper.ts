// Ends the programs of servers when this process is gone, even killed: a tiny shell program reads their process groups from
// a pipe that only this process writes to. When the pipe ends it gives them two seconds to notice by themselves, and
// kills the rest. On Windows there is none: there are no process groups; a program has to notice that its input ends.

import { spawn, type ChildProcess } from "node:child_process";

const program = `
trap '' HUP INT TERM
groups=" "
while read -r sign group; do
  case "$sign" in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
set -- $groups
[ "$#" -eq 0 ] && exit 0
sleep 2
for group in "$@"; do kill -s KILL -- "-$group" 2>/dev/null; done
exit 0
`;

export class Reaper {
  readonly #tell: (problem: string) => void;
  readonly #groups = new Set<number>();
  #child: ChildProcess | null = null;
  #isUseless = process.platform === "win32";
  #startsLeft = 5;

  constructor(tell: (problem: string) => void) {
    this.#tell = tell;
  }

  add(group: number): void {
    this.#groups.add(group);
    if (this.#isUseless) return;
    if (this.#child === null) this.#start();
    else this.#write(`+ ${group}\n`);
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#write(`- ${group}\n`);
  }

  /** What is left is killed two seconds later. */
  close(): void {
    this.#child?.stdin?.end();
    this.#child = null;
    this.#isUseless = true;
  }

  #start(): void {
    this.#startsLeft -= 1;
    const child = spawn("sh", ["-c", program], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: pathOnly(),
    });
    this.#child = child;
    child.on("error", () => {
      this.#isUseless = true;
      this.#child = null;
      this.#tell("There is no shell, so programs of servers may outlive this process when it is killed.");
    });
    child.on("exit", () => {
      if (this.#child !== child) return;
      this.#child = null;
      // Somebody has killed it.
      if (this.#groups.size > 0 && !this.#isUseless && this.#startsLeft > 0) this.#start();
    });
    // It has gone; `exit` says so.
    child.stdin?.on("error", () => {});
    child.unref();
    if (child.stdin !== null && "unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
    for (const group of this.#groups) this.#write(`+ ${group}\n`);
  }

  #write(line: string): void {
    this.#child?.stdin?.write(line);
  }
}

/** To find `sleep`. */
function pathOnly(): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return PATH === undefined ? {} : { PATH };
}
