// `npm run xss`: all the texts, in portions; prints what was run of them, which is nothing.

import { openHostileHouse } from "./hostile-house.ts";
import { launch } from "../harness/browser.ts";
import { readTexts } from "./corpus.ts";
import { findExecutions } from "./visit.ts";

const portion = 250;
const texts = readTexts();
if (texts === null) {
  console.error("The texts are not there: ../shared/corpora/xss beside the project.");
  process.exit(1);
}
let failures = 0;
for (let at = 0; at < texts.length; at += portion) {
  await using house = await openHostileHouse(texts.slice(at, at + portion));
  const found = await findExecutions(house);
  failures += found.length;
  console.log(
    `${Math.min(at + portion, texts.length)} of ${texts.length} texts, ${failures} executions or foreign requests`,
  );
  for (const each of found) console.log(`  ${each.slice(0, 300)}`);
}
await (await launch()).close();
process.exitCode = failures === 0 ? 0 : 1;
