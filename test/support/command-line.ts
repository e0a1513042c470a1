import type { IdentityOptions } from '../../src/identity.options';
import { runCommandLine } from '../../src/cli/run';
import { TestDatabase } from './test-database';
import { TEST_KEYS } from './test-service';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface World {
  input?: string;
  environment?: Record<string, string>;
}

export const CONFIGURED = { NODE_ENV: 'test', ENCRYPTION_KEYS: TEST_KEYS };

/** Runs a command line and returns its exit code and output. */
export async function typed(
  line: string,
  { input = '', identity = {} }: { input?: string | undefined; identity?: Partial<IdentityOptions> } = {},
): Promise<Ran> {
  const ran = { out: '', err: '' };
  const code = await runCommandLine(line.split(' ').filter(Boolean), {
    terminal: {
      write: (written) => {
        ran.out += written;
      },
      isOver: false,
      finish: async () => undefined,
      readInput: async () => input,
      readSecret: async () => input,
    },
    complain: (written) => {
      ran.err += written;
    },
    identity,
  });
  return { code, ...ran };
}

/** Runs a command line on the database of a test. */
export function typedAt({ url, embedded }: TestDatabase, line: string, world: World = {}): Promise<Ran> {
  const { input, environment = {} } = world;
  return typed(line, {
    input,
    identity: {
      environment: { ...CONFIGURED, ...(url !== undefined && { DATABASE_URL: url }), ...environment },
      ...(embedded && { embeddedDatabase: embedded }),
    },
  });
}
