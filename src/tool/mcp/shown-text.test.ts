import { expect, test } from "vitest";
import { createVeil, showAll, showSchema } from "./shown-text.ts";

const hide = createVeil(["AcmeCorp", "a.b*c|d"]);

test("of a schema only what is said is hidden; what values are held against stays", () => {
  const schema = {
    title: "For AcmeCorp",
    required: ["AcmeCorp"],
    properties: {
      AcmeCorp: { enum: ["AcmeCorp", "Other"], description: "AcmeCorp or another", default: "AcmeCorp" },
      title: { const: "AcmeCorp", pattern: "^AcmeCorp/", examples: ["AcmeCorp"], $ref: "#/$defs/AcmeCorp" },
    },
    oneOf: [{ const: "AcmeCorp", title: "AcmeCorp" }],
  };
  expect(showSchema(schema, hide)).toEqual({
    title: "For [hidden]",
    required: ["AcmeCorp"],
    properties: {
      AcmeCorp: { enum: ["AcmeCorp", "Other"], description: "[hidden] or another", default: "[hidden]" },
      title: { const: "AcmeCorp", pattern: "^AcmeCorp/", examples: ["[hidden]"], $ref: "#/$defs/AcmeCorp" },
    },
    oneOf: [{ const: "AcmeCorp", title: "[hidden]" }],
  });
});

test("a result in which there is nothing to hide is the very same", () => {
  const result = { list: ["a", { b: "Acme" }] };
  expect(showAll(result, hide)).toBe(result);
  expect(showAll({ a: ["x a.b*c|d"], AcmeCorp: 1 }, hide)).toEqual({ a: ["x [hidden]"], "[hidden]": 1 });
});
