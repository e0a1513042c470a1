const secretParts = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'authorization',
  'cookie',
  'credential',
  'assertion',
  'apikey',
  'accesskey',
  'privatekey',
  'encryptionkey',
  'codeverifier',
  'databaseurl',
  'redisurl',
  'sentinelurl',
  'rawheaders',
];

const secretWords = new Set(['otp', 'totp', 'pin', 'jwt', 'encryptionkeys', 'argv']);

/** Codes that are not secrets. */
const openCodes = new Set(
  ['status', 'error', 'exit', 'problem', 'reason', 'response', 'provider', 'country', 'language'].map(
    (kind) => `${kind}code`,
  ),
);

/** Whether the value of this name is kept out of the log, in any spelling (`new_password`, `Set-Cookie`). */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (secretWords.has(plain) || secretParts.some((part) => plain.includes(part))) return true;
  return /codes?$/.test(plain) && !openCodes.has(plain);
}
