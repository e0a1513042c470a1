import type { IdentityOptions } from '../../src/identity.options';
import { runCommandLine } from '../../src/cli/run';
import { eventually } from './eventually';
import { TestClient } from './test-client';
import { TestDatabase } from './test-database';
import { TEST_KEYS } from './test-service';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface World {
  input?: string;
  /** The answer to a confirmation. Undefined: there is no person to ask. */
  answer?: string;
  environment?: Record<string, string>;
}

export const CONFIGURED = { NODE_ENV: 'test', ENCRYPTION_KEYS: TEST_KEYS };

/** Runs a command line and returns its exit code and output. */
export async function typed(
  line: string,
  {
    input = '',
    answer,
    identity = {},
  }: { input?: string | undefined; answer?: string | undefined; identity?: Partial<IdentityOptions> } = {},
): Promise<Ran> {
  const ran = { out: '', err: '' };
  const code = await runCommandLine(line.split(' ').filter(Boolean), {
    terminal: {
      write: (written) => {
        ran.out += written;
      },
      isOver: false,
      isInteractive: answer !== undefined,
      finish: async () => undefined,
      readInput: async () => input,
      readSecret: async () => input,
      ask: async (question) => {
        ran.err += question;
        return answer ?? '';
      },
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
  const { input, answer, environment = {} } = world;
  return typed(line, {
    input,
    answer,
    identity: {
      environment: { ...CONFIGURED, ...(url !== undefined && { DATABASE_URL: url }), ...environment },
      ...(embedded && { embeddedDatabase: embedded }),
    },
  });
}

/** Waits until the session has ended in the running service, which follows a command within a second. */
export async function untilEnded(client: TestClient): Promise<void> {
  await eventually(
    () => client.get('/api/auth/me'),
    ({ status }) => status === 401,
    2,
  );
}
