export * from './items';
export { sell } from './shop';
export * as shops from './shop';
