const ADDRESS = /^(?:https:\/\/[^/?#]|\/(?!\/))[^\s"'<>\\]+$/;

/**
 * Returns the code of the violated rule: an https URL without credentials, a path of this service, or nothing. Rejects a
 * leading `//`, which browsers read as the start of another host. The console checks unsaved addresses by it, too.
 */
export function checkWebAddress(address: string): string | undefined {
  if (address === '') return undefined;
  const { username, password } = URL.canParse(address) ? new URL(address) : { username: '', password: '' };
  const isWritten = ADDRESS.test(address) && URL.canParse(address, 'https://own.invalid');
  return isWritten && username + password === '' ? undefined : 'web_address';
}
