import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Scalar } from "../columns/row.ts";
import { ManyRows } from "./many-rows.ts";
import { packList } from "./packed.ts";

const given = ["id", "a", "b", "c", "d", "at"] as const;
const derived = { seen_at: "at", role: "'item'", more: "null" };

function openTable(): { readonly database: DatabaseSync; readonly rows: ManyRows } {
  const database = new DatabaseSync(":memory:");
  database.exec("create table t (id integer primary key, a, b, c, d, at, seen_at, role, more, other)");
  return { database, rows: new ManyRows(database, { table: "t", given, derived }) };
}

/** Few values, so that columns are often the same in all rows, and often not. */
const scalar: fc.Arbitrary<Scalar> = fc.constantFrom(null, 0, 1_763_500_000_000, "", "a");
const row = fc.tuple(scalar, scalar, scalar, scalar);
const lists = fc.array(fc.tuple(fc.array(row, { maxLength: 40 }), scalar), { minLength: 1, maxLength: 24 });

function idsIn(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare("select id from t order by id")
    .all()
    .map(({ id }) => id);
}

function listOf(ids: readonly number[]): Scalar[] {
  return ids.flatMap((id) => [id, null, null, null, null]);
}

describe("the rows of a list", () => {
  test("are all there with all their values, whatever they have in common and whatever came before", () => {
    fc.assert(
      fc.property(lists, (each) => {
        const { database, rows } = openTable();
        const wanted: unknown[] = [];
        for (const [values, at] of each) {
          const list = values.flatMap((own, index) => [wanted.length + index, ...own]);
          rows.insert(packList(list, 5), [at]);
          for (const [a, b, c, d] of values)
            wanted.push({ id: wanted.length, a, b, c, d, at, seen_at: at, role: "item", more: null, other: null });
        }
        expect(database.prepare("select * from t order by id").all()).toEqual(wanted);
        database.close();
      }),
      { numRuns: 200 },
    );
  });

  test("take one statement for sixteen of them, and few for the rest", () => {
    const { database, rows } = openTable();
    const prepare = vi.spyOn(database, "prepare");
    const ids = Array.from({ length: 37 }, (_none, id) => id);
    rows.insert(packList(listOf(ids), 5), [7]);
    const texts = prepare.mock.calls.map(([text]) => text);
    expect(texts.map((text) => text.split("'item'").length - 1)).toEqual([16, 4, 1]);
    // What they have in common is bound once: 5 values, and 16 ids, which have no numbers.
    const places = [...(texts[0] ?? "").matchAll(/\?(\d*)/g)].map(([, place]) => place);
    expect(new Set(places)).toEqual(new Set(["", "1", "2", "3", "4", "5"]));
    expect(places.filter((place) => place === "")).toHaveLength(16);
    rows.insert(packList(listOf(ids.map((id) => 100 + id)), 5), [8]);
    expect(prepare).toHaveBeenCalledTimes(3);
    expect(idsIn(database)).toHaveLength(74);
  });

  test("need a bounded number of statements, however odd they are", () => {
    const { database, rows } = openTable();
    const prepare = vi.spyOn(database, "prepare");
    let id = 0;
    for (let round = 0; round < 2; round++) {
      // All sixteen ways in which four columns can differ.
      for (let way = 0; way < 16; way++) {
        const list = Array.from({ length: 21 }, (_none, at) => [id++, ...[1, 2, 4, 8].map((bit) => (way & bit) * at)]);
        rows.insert(packList(list.flat(), 5), [0]);
      }
    }
    expect(prepare.mock.calls.length).toBeLessThanOrEqual((8 + 1) * 3);
    expect(idsIn(database)).toEqual(Array.from({ length: 32 * 21 }, (_none, at) => at));
  });

  test("are refused together with the transaction when one of them cannot be there", () => {
    const { database, rows } = openTable();
    rows.insert(packList(listOf([20]), 5), [0]);
    database.exec("begin");
    const ids = Array.from({ length: 32 }, (_none, id) => id);
    expect(() => rows.insert(packList(listOf(ids), 5), [0])).toThrow("UNIQUE constraint failed: t.id");
    database.exec("rollback");
    expect(idsIn(database)).toEqual([20]);
  });
});
