export * from './compare-code-units';
export * from './html';
export * from './storable';
