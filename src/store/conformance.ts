// What every store must do, as tests: registered for each of them under its name. A case that one cannot do is skipped
// with its reason.

import { describe, test } from "vitest";
import { briefs } from "./conformance/briefs.ts";
import { outcomesAndAudit } from "./conformance/outcomes.ts";
import { owning } from "./conformance/owning.ts";
import { reading } from "./conformance/reading.ts";
import { retention } from "./conformance/retention.ts";
import { searching } from "./conformance/searching.ts";
import type { Group, Subject } from "./conformance/subject.ts";
import { views } from "./conformance/views.ts";
import { writing } from "./conformance/writing.ts";

export type { Subject, TestPlace } from "./conformance/subject.ts";

const groups: readonly Group[] = [
  ...writing,
  ...reading,
  ...searching,
  ...briefs,
  ...owning,
  ...retention,
  ...outcomesAndAudit,
  ...views,
];

export function describeStore(subject: Subject): void {
  const { create, aloneBecause } = subject;
  describe.for([subject])("$name", () => {
    describe.for(groups)("$name", ({ cases }) => {
      // "$title" would cut the titles short.
      test.for(cases.map((one) => [one.title, one] as const))(
        "%s",
        async ([, { isShared, check }], { expect, skip }) => {
          if (isShared && aloneBecause !== null) return skip(aloneBecause);
          const place = await create();
          try {
            await expect(check(place, expect)).resolves.toBeUndefined();
          } finally {
            await place.remove();
          }
        },
      );
    });
  });
}
