export * from './characters';
export * from './compare-code-units';
export * from './html';
export * from './json-object';
export * from './snake-case';
export * from './storable';
export * from './typed-code';
