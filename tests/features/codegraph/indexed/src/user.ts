import { Item, cheapest, sell, shops } from './index';

export function visit(shop: shops.Shop): number {
  const bought = cheapest([new Item('a'), shop.shelf]);
  return sell(shop) + bought.price();
}
