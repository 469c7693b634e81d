// Maps and sets of what comes and goes all the time, such as the calls under way. A `Map` of the language that has filled up
// with what was deleted copies itself into a new table, and the old table points to the new one. Once a table has become old
// to the garbage collector, every later one hangs from it until the next full collection, and with them all that ever stood
// there: thousands of calls that ended long ago are copied as if they lived. So here a new map takes the place of the
// old one before that, and nothing points from one to the other (docs/decisions/0027).

/** So many are deleted before it is worth the copying. */
const goneMin = 64;

export class LiveMap<Key, Value> implements ReadonlyMap<Key, Value> {
  #map: Map<Key, Value>;
  #gone = 0;

  constructor(entries?: Iterable<readonly [Key, Value]>) {
    this.#map = new Map(entries);
  }

  get size(): number {
    return this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  has(key: Key): boolean {
    return this.#map.has(key);
  }

  /** Whoever walks through it meanwhile may not see what is added, nor what is deleted after that. */
  set(key: Key, value: Value): this {
    if (this.#gone >= goneMin && this.#gone >= this.#map.size) {
      this.#map = new Map(this.#map);
      this.#gone = 0;
    }
    this.#map.set(key, value);
    return this;
  }

  delete(key: Key): boolean {
    const wasThere = this.#map.delete(key);
    if (wasThere) this.#gone += 1;
    return wasThere;
  }

  clear(): void {
    this.#map = new Map();
    this.#gone = 0;
  }

  keys(): MapIterator<Key> {
    return this.#map.keys();
  }

  values(): MapIterator<Value> {
    return this.#map.values();
  }

  entries(): MapIterator<[Key, Value]> {
    return this.#map.entries();
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.#map.entries();
  }

  forEach(act: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.#map) act(value, key, this);
  }
}

export class LiveSet<Value> {
  #set = new Set<Value>();
  #gone = 0;

  get size(): number {
    return this.#set.size;
  }

  has(value: Value): boolean {
    return this.#set.has(value);
  }

  /** As `LiveMap.set`. */
  add(value: Value): this {
    if (this.#gone >= goneMin && this.#gone >= this.#set.size) {
      this.#set = new Set(this.#set);
      this.#gone = 0;
    }
    this.#set.add(value);
    return this;
  }

  delete(value: Value): boolean {
    const wasThere = this.#set.delete(value);
    if (wasThere) this.#gone += 1;
    return wasThere;
  }

  clear(): void {
    this.#set = new Set();
    this.#gone = 0;
  }

  [Symbol.iterator](): SetIterator<Value> {
    return this.#set.values();
  }
}
