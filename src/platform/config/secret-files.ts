import { readFileSync } from 'node:fs';

/** Variables of the platform that hold secrets, or as many lines as a file; groups name theirs. Each can be read from a file instead, named by the variable with the suffix `_FILE`. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'REDIS_SENTINEL_URLS',
  'ADMIN_PASSWORD',
  'ENCRYPTION_KEYS',
] as const;

/** The headers of traces, which may hold a token. OpenTelemetry reads them, so they are no part of the environment. */
export const TRACE_HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';

const MAX_CHARACTERS = 65_536;

export const fileVariableOf = (name: string): string => `${name}_FILE`;

interface SecretFile {
  readonly content?: string;
  readonly problem?: string;
}

/** Reads a file without its last line break. A problem never contains text of the file. */
export function readSecretFile(path: string): SecretFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` };
  }
  const content = text.replace(/\r?\n$/, '');
  if (content === '') return { problem: 'it is empty' };
  if (content.length > MAX_CHARACTERS) return { problem: `it is longer than ${MAX_CHARACTERS} characters` };
  return { content };
}
