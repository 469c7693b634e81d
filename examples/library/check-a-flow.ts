// Reads a flow, prints what the validator has to say, and draws it if it can be used.
import { readFileSync } from "node:fs";
import { drawAscii, validate } from "stepwell";

const text = readFileSync(process.argv[2] ?? "examples/demo/flaky-fetch.yaml", "utf8");
const { plan, findings } = validate(text); // JSON or YAML text, or a value; never throws

for (const { line, severity, code, message } of findings) console.log(`${line}: ${severity} ${code}: ${message}`);
if (plan !== null) console.log(drawAscii(plan, { width: 80 }));
