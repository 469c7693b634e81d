import { expect, test } from "vitest";
import { parseTemplate } from "../flow/template/parse.ts";
import { expandTemplate } from "../flow/template/expand.ts";
import type { Json } from "../flow/json.ts";
import { fillSecrets } from "./fill.ts";

/** As the kernel expands it, and as the tool gets it. */
function fill(template: Json, input: Json = {}): Json {
  const { template: parsed } = parseTemplate(template);
  const expanded = expandTemplate(
    parsed,
    { lookup: (root) => (root === "input" ? input : undefined) },
    { strict: false },
  );
  if (!expanded.ok) throw new Error(expanded.problem.message);
  return fillSecrets(expanded.value, expanded.secrets, (name) => `<${name}>`);
}

test.each<[Json, Json]>([
  ["{{ secrets.A }}", "<A>"],
  [{ key: "{{ secrets.A }}" }, { key: "<A>" }],
  [{ auth: "Bearer {{ secrets.A }}, {{ secrets.B }}!" }, { auth: "Bearer <A>, <B>!" }],
  [{ deep: [{ "a/b~c": ["x", "{{ secrets.A }}"] }] }, { deep: [{ "a/b~c": ["x", "<A>"] }] }],
  [
    { one: "{{ secrets.A }}", two: "{{ secrets.A }}{{ secrets.A }}" },
    { one: "<A>", two: "<A><A>" },
  ],
  [{ text: "{{ input.x }} {{ secrets.A }}" }, { text: "{{ secrets.B }} <A>" }],
])("%j becomes %j", (template, filled) => {
  expect(fill(template, { x: "{{ secrets.B }}" })).toEqual(filled);
});

test("the arguments that are kept stay as they are", () => {
  const args = { key: "{{ secrets.A }}", rest: [1, 2] };
  const places = [{ pointer: "/key", offset: 0, length: 17, name: "A" }];
  expect(fillSecrets(args, places, () => "value")).toEqual({ key: "value", rest: [1, 2] });
  expect(args.key).toBe("{{ secrets.A }}");
});

test("a place that is not there is left alone", () => {
  const place = { offset: 0, length: 1, name: "A" };
  expect(fillSecrets({ a: 1 }, [{ ...place, pointer: "/a" }], () => "v")).toEqual({ a: 1 });
  expect(fillSecrets({ a: 1 }, [{ ...place, pointer: "/a/b" }], () => "v")).toEqual({ a: 1 });
  expect(fillSecrets([1], [{ ...place, pointer: "/3" }], () => "v")).toEqual([1]);
});
