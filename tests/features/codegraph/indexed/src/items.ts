export interface Priced { price(): number }

export class Item implements Priced {
  constructor(readonly name: string) {}
  price(): number { return this.name.length; }
}

export function cheapest<T extends Priced>(items: T[]): T {
  return items.reduce((one, other) => (one.price() < other.price() ? one : other));
}
