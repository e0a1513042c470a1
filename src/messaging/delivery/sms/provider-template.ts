/** A provider's approved template, and its values. */
export interface ProviderTemplate {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
}

const FORM = /^([^()\s]+)(?:\(([^()]*)\))?$/;

/**
 * Parses `SMS_1` or `SMS_1(code, number=code, minutes)`: in brackets the values in order, under the provider's names.
 * Without brackets, all values are passed. Undefined if the text is neither or names an unknown value.
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
