import { expect, test } from "vitest";
import { isKnownRoot } from "../../../src/flow/expression/references.ts";
import { parseTemplate, referencesIn, secretsIn } from "../../../src/flow/template/parse.ts";
import { namesIn } from "./expression-names.ts";

const texts = [
  "{{ input.topic }}",
  "Hello {{ input.name }}, {{previous}} of {{ steps.fetch.result.items[0].title }}",
  "{{ steps[\"odd name\"].result }} {{ steps['it'].error.message }}",
  "{{ input.tags.map(t, upper(t)) }}",
  "{{ input.tags.filter(item, item == steps.a.result).size() + index }}",
  "{{ input.tags.exists(item, item in previous) ? item : data.x }}",
  '{{ { "a": { "b": input.b } } }} and {{ run.id }}',
  '{{ "}} input.a" + input.b }}',
  "{{ steps.a.result[input.at].x }}",
  "{{ has(input.a) && size(previous.items) > 3 }}",
  "{{ input.result.previous }}",
  "{{ a.input }} {{ resources.folder.url }}",
  "{{ previous.score.error ?? previous.score.score }}",
  "{{ secrets.KEY }}",
  'Bearer {{ secrets["API KEY"] }}',
  "no placeholder, input.a",
  "{{ input.a",
];

test.each(texts)("the names in %s are those that the engine reads", (text) => {
  const { template } = parseTemplate(text);
  const engine = [
    ...referencesIn(template)
      .filter(({ root }) => isKnownRoot(root))
      .map(({ root, path }) => ({ root, path })),
    ...secretsIn(template).map((name) => ({ root: "secrets", path: [name] })),
  ];
  expect(namesIn(text)).toEqual(engine);
});

test("a text that never closes what it opens is read once", () => {
  expect(namesIn("{{ ".repeat(50_000))).toEqual([]);
  expect(namesIn(`{{ "${"a".repeat(100_000)}`)).toEqual([]);
});
