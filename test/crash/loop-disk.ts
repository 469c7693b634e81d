// A disk whose power can be cut: an ext4 image on a loop device. The cut is the file system's own emergency stop without
// flushing its journal (FS_IOC_SHUTDOWN), after which only what was synced is there when it is mounted again.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync, truncateSync } from "node:fs";
import { join } from "node:path";

export class LoopDisk {
  readonly folder: string;
  readonly #image: string;

  constructor(parent: string, sizeMb: number) {
    this.folder = join(parent, "disk");
    this.#image = join(parent, "disk.img");
    mkdirSync(this.folder);
    writeFileSync(this.#image, "");
    truncateSync(this.#image, sizeMb * 1024 * 1024);
    execute("mkfs.ext4", ["-q", "-F", this.#image]);
    this.mount();
  }

  mount(): void {
    execute("mount", ["-o", "loop", this.#image, this.folder]);
  }

  unmount(): void {
    execute("umount", [this.folder]);
  }

  /** 2: without flushing the journal. */
  cutPower(): void {
    const program = 'open(F, "<", $ARGV[0]) or die; my $how = pack("L", 2); ioctl(F, 0x8004587d, $how) or die "$!"';
    execute("perl", ["-e", program, this.folder]);
  }

  close(): void {
    detach(this.folder);
  }
}

/** A file system in memory that is soon full. */
export class SmallDisk {
  readonly folder: string;

  constructor(parent: string, sizeMb: number) {
    this.folder = join(parent, "small");
    mkdirSync(this.folder);
    execute("mount", ["-t", "tmpfs", "-o", `size=${sizeMb}m`, "tmpfs", this.folder]);
  }

  close(): void {
    detach(this.folder);
  }
}

/** Whoever still holds a file there does not stop it. */
function detach(folder: string): void {
  execute("umount", ["-l", folder]);
}

function execute(file: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")}: ${error?.message ?? stderr}`);
}

/** Why this machine cannot do it; undefined: it can. */
export function findHindrance(): string | undefined {
  return process.getuid?.() === 0 ? undefined : "mounting needs root";
}
