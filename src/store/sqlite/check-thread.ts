// The thread of check.ts: says what is wrong, or nothing.

import { parentPort, workerData } from "node:worker_threads";
import { listDamage } from "./check.ts";

const { path } = workerData as { readonly path: string };
const port = parentPort;
const found = listDamage(path);
if (port !== null && found.length > 0) port.postMessage(found);
