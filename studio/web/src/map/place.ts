// From metres north and east to pixels of the plan view, and back.

export const MARGIN = { left: 46, right: 12, top: 10, bottom: 34 };

/** What is in the middle, m, and pixels per m. */
export interface View {
  north: number;
  east: number;
  scale: number;
}

/** The least and greatest of what is to be seen, m. */
export class Bounds {
  low: [number, number] = [Infinity, Infinity];
  high: [number, number] = [-Infinity, -Infinity];

  see(north: number, east: number): void {
    this.low = [Math.min(this.low[0], north), Math.min(this.low[1], east)];
    this.high = [Math.max(this.high[0], north), Math.max(this.high[1], east)];
  }

  get size(): number {
    return Math.max(this.high[0] - this.low[0], this.high[1] - this.low[1], 1e-3);
  }
}

export class Place {
  view: View = { north: 0, east: 0, scale: 1 };
  /** The size of what is drawn in, as the last painting found it: asking the browser each time costs a layout. */
  width = 400;
  height = 300;

  resize(width: number, height: number): void {
    this.width = Math.max(width - MARGIN.left - MARGIN.right, 20);
    this.height = Math.max(height - MARGIN.top - MARGIN.bottom, 20);
  }

  get middle(): [number, number] {
    return [MARGIN.left + this.width / 2, MARGIN.top + this.height / 2];
  }

  toPixels(north: number, east: number): [number, number] {
    const { view } = this;
    return [
      MARGIN.left + this.width / 2 + (east - view.east) * view.scale,
      MARGIN.top + this.height / 2 - (north - view.north) * view.scale,
    ];
  }

  toMetres(x: number, y: number): [number, number] {
    const { view } = this;
    return [
      view.north - (y - MARGIN.top - this.height / 2) / view.scale,
      view.east + (x - MARGIN.left - this.width / 2) / view.scale,
    ];
  }

  /** Show what is within these bounds, and a margin of so many m about it. */
  fit({ low, high }: Bounds, margin: number): void {
    this.view = {
      north: (low[0] + high[0]) / 2,
      east: (low[1] + high[1]) / 2,
      scale: Math.min(this.width / (high[1] - low[1] + 2 * margin), this.height / (high[0] - low[0] + 2 * margin)),
    };
  }

  /** Make all larger or smaller about a pixel, which stays where it is. */
  zoom(by: number, [x, y]: [number, number]): void {
    const [north, east] = this.toMetres(x, y);
    this.view = { ...this.view, scale: Math.min(Math.max(this.view.scale * by, 1e-4), 1e5) };
    const [movedNorth, movedEast] = this.toMetres(x, y);
    this.view.north += north - movedNorth;
    this.view.east += east - movedEast;
  }

  /** Move by pixels, to the right and down, from a view. */
  pan({ north, east, scale }: View, right: number, down: number): void {
    this.view = { north: north + down / scale, east: east - right / scale, scale };
  }
}
