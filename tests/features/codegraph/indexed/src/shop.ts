import { Item } from './items';

export abstract class Shop {
  abstract accessor label: string;
  abstract accessor shelf: Item;
  abstract accessor counter: Item;
  open(): Item { return this.shelf; }
}

export function sell(shop: Shop): number { return shop.counter.price() + shop.open().price(); }
