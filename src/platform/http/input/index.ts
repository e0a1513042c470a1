export { checkInput } from './check-input';
export { ValidatedBy } from './constraints';
export * from './fields';
export * from './id.pipe';
export * from './input.guard';
export * from './field-validator';
export * from './structured-fields';
export { isId } from '../../util';
export { UncheckedInput } from './unchecked-input';
