/** An approved template of a provider, and the values it is given. */
export interface ProviderTemplate {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
}

const FORM = /^([^()\s]+)(?:\(([^()]*)\))?$/;

/**
 * Reads `SMS_1` or `SMS_1(code, number=code, minutes)`: the values named in brackets, in that order, under the provider's
 * names for them; without brackets all there are. Undefined where it is neither, or names a value that is not there.
 */
export function readProviderTemplate(
  text: string,
  parameters: Readonly<Record<string, string>>,
): ProviderTemplate | undefined {
  const [, id, list] = FORM.exec(text.trim()) ?? [];
  if (id === undefined) return undefined;
  if (list === undefined) return { id, values: parameters };
  const values: Record<string, string> = {};
  for (const entry of list.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [name = '', source = name] = entry.split('=').map((part) => part.trim());
    const value = parameters[source];
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return { id, values };
}
