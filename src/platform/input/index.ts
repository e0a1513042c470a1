export { checkInput } from './check-input';
export * from './fields';
export { nameFieldsToHostValidator } from './host-validator';
export * from './id.pipe';
export * from './input.guard';
export * from './rule';
export * from './structured-fields';
