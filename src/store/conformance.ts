// What every store must do, as tests: registered for each of them under its name. A case that one cannot do is skipped
// with its reason.

import { describe } from "vitest";
import { describeOwning } from "./conformance/owning.ts";
import { describeReading } from "./conformance/reading.ts";
import { describeRetention } from "./conformance/retention.ts";
import type { Subject } from "./conformance/subject.ts";
import { describeViews } from "./conformance/views.ts";
import { describeWriting } from "./conformance/writing.ts";

export type { Subject, TestOptions, TestPlace } from "./conformance/subject.ts";

export function describeStore(subject: Subject): void {
  describe(subject.name, () => {
    describeWriting(subject);
    describeReading(subject);
    describeOwning(subject);
    describeRetention(subject);
    describeViews(subject);
  });
}
