export * from './compare-code-units';
export * from './storable';
