// A process of its own for each workload: no other one has warmed it, filled its heap or left it a file.

import { measure, type Order } from "./task.ts";
import { readLevels } from "./witness.ts";

const order = JSON.parse(process.argv[2] ?? "") as Order;
const measured = await measure(order);
const levels = readLevels();
const notes = levels.length === 0 ? {} : { synchronous: levels.join(" ") };
console.log(JSON.stringify({ ...measured, notes: { ...measured.notes, ...notes } }));
