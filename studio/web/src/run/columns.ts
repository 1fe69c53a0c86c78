// Which numbers of a plan a page records, and in which column of a run each stands.

import type { Model, Quantity } from "../page/data";

const known = new WeakMap<Model, Columns>();

export class Columns {
  readonly places: Int32Array;
  private readonly at = new Map<number, number>();
  private readonly byPath = new Map<string, Quantity>();

  constructor(model: Model) {
    const places = new Set<number>();
    for (const channel of model.channels) {
      this.byPath.set(channel.path, channel);
      for (let i = 0; i < channel.count; i++) places.add(channel.first + i);
    }
    for (const picture of model.pictures) {
      for (const value of picture.values) for (let i = 0; i < value.count; i++) places.add(value.first + i);
    }
    this.places = Int32Array.from([...places].sort((a, b) => a - b));
    this.places.forEach((place, column) => this.at.set(place, column));
  }

  /** The column of a place, or -1. */
  of(place: number): number {
    return this.at.get(place) ?? -1;
  }

  channel(path: string): Quantity | undefined {
    return this.byPath.get(path);
  }
}

export function columnsOf(model: Model): Columns {
  let columns = known.get(model);
  if (!columns) {
    columns = new Columns(model);
    known.set(model, columns);
  }
  return columns;
}

export function placesOf(model: Model): Int32Array {
  return columnsOf(model).places;
}
