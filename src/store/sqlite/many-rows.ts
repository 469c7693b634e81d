// Inserts the rows of a list, many with one statement. What binding costs, and a call of a statement, is more than what
// SQLite does for a row; and the rows of a list are much alike (see packed.ts). So a statement takes sixteen rows, and a
// value that all of them have is bound once.
//
// A shape is which columns have a value of their own in each row: it decides what the statement says. Few are needed, since
// what a program does at a time it does often; a list that fits none of those there are uses the next wider one.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Scalar } from "../columns/row.ts";
import { placesOfOwn, singleRow, valueAt, type Column, type PackedList } from "./packed.ts";

export type Insertion = {
  readonly table: string;
  /** Whose values are given. */
  readonly given: readonly string[];
  /** Other columns: what they hold, in SQL, or the given column whose value they have as well. */
  readonly derived?: Readonly<Record<string, string>>;
};

/** How many rows a statement takes: of the largest as many as there are, then of the next. */
const sizes = [16, 4, 1] as const;
/** Of fewer it does not matter what they have in common. */
const alikeMin = 4;
/** Prepared statements take memory, and time to prepare. */
const shapesMax = 8;

/** Columns by their places. */
type Shape = {
  /** They have a value of their own in each row. */
  readonly own: readonly number[];
  /** They have one value in all of them. */
  readonly shared: readonly number[];
  /** By how many rows they take. */
  readonly statements: Map<number, StatementSync>;
};

export class ManyRows {
  readonly #database: DatabaseSync;
  readonly #insertion: Insertion;
  /** Takes any list. */
  readonly #widest: Shape;
  /** By `own`. */
  readonly #shapes = new Map<string, Shape>();

  constructor(database: DatabaseSync, insertion: Insertion) {
    this.#database = database;
    this.#insertion = insertion;
    this.#widest = this.#createShape([...insertion.given.keys()]);
  }

  /** `behind`: of the columns behind those of the list, the same for all rows. */
  insert(list: PackedList, behind: readonly Scalar[] = []): void {
    const single = singleRow(list);
    if (single === null) this.#insertMany(list, behind);
    else this.#statement(this.#widest, 1).run(...single, ...behind);
  }

  #insertMany({ count, columns: front }: PackedList, behind: readonly Scalar[]): void {
    if (count === 0) return;
    const columns = behind.length === 0 ? front : [...front, ...behind];
    const shape = count < alikeMin ? this.#widest : this.#shapeFor(columns);
    let row = 0;
    for (const size of sizes) {
      for (; count - row >= size; row += size) {
        const values = shape.shared.map((place) => valueAt(columns, place, 0));
        for (let at = row; at < row + size; at++)
          for (const place of shape.own) values.push(valueAt(columns, place, at));
        this.#statement(shape, size).run(...values);
      }
    }
  }

  #shapeFor(columns: readonly Column[]): Shape {
    const own = placesOfOwn(columns);
    const key = own.join(",");
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    if (this.#shapes.size >= shapesMax) return this.#narrowestFor(own);
    const shape = this.#createShape(own);
    this.#shapes.set(key, shape);
    return shape;
  }

  #narrowestFor(own: readonly number[]): Shape {
    const fitting = [...this.#shapes.values()].filter((shape) => own.every((place) => shape.own.includes(place)));
    const [narrowest = this.#widest] = fitting.toSorted((one, other) => one.own.length - other.own.length);
    return narrowest;
  }

  #createShape(own: readonly number[]): Shape {
    const shared = [...this.#insertion.given.keys()].filter((place) => !own.includes(place));
    return { own, shared, statements: new Map() };
  }

  #statement(shape: Shape, size: number): StatementSync {
    let statement = shape.statements.get(size);
    if (statement === undefined) {
      statement = this.#database.prepare(insertText(this.#insertion, shape, size));
      shape.statements.set(size, statement);
    }
    return statement;
  }
}

/** A row that cannot be written takes back the whole batch: SQLite need not be able to take back this statement alone.
 *
 *  What is shared has numbers, and comes first; the rest has none: a number is a name to SQLite, and for each value that is bound
 *  node:sqlite has all names looked through. */
function insertText({ table, given, derived = {} }: Insertion, { own, shared }: Shape, size: number): string {
  const rows = Array.from({ length: size }, (_none, row) => {
    const numberOf = (place: number): string => {
      const at = own.indexOf(place);
      return `?${1 + (at < 0 ? shared.indexOf(place) : shared.length + row * own.length + at)}`;
    };
    const others = Object.values(derived).map((value) => {
      const place = given.indexOf(value);
      return place < 0 ? value : numberOf(place);
    });
    return `(${[...shared.map(numberOf), ...own.map(() => "?"), ...others].join(", ")})`;
  });
  const columns = [...shared, ...own].map((place) => given[place]);
  return `insert or fail into ${table} (${[...columns, ...Object.keys(derived)].join(", ")}) values ${rows.join(", ")}`;
}
