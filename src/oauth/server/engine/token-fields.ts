import { Provider as Library } from '../core/library';

/** Adds a field to what the library stores of a model. It stores only the fields in this list. */
export function storeField(model: object, field: string): void {
  const { IN_PAYLOAD: fields } = model as { readonly IN_PAYLOAD: readonly string[] };
  Object.defineProperty(model, 'IN_PAYLOAD', { value: [...fields, field] });
}

/** A field of the code or refresh token in use. */
export function fieldInUse(field: string): string | undefined {
  const { AuthorizationCode, RotatedRefreshToken } = (Library.ctx?.oidc.entities ?? {}) as unknown as Readonly<
    Record<string, Readonly<Record<string, unknown>> | undefined>
  >;
  const value = (AuthorizationCode ?? RotatedRefreshToken)?.[field];
  return typeof value === 'string' ? value : undefined;
}
