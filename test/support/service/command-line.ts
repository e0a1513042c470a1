import { CommandLine, runCommandLine } from '../../../src/cli/run';
import { eventually } from './eventually';
import { TestClient } from './test-client';
import { TestDatabase } from './test-database';
import { TEST_KEYS, TestService } from './test-service';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface Keyboard {
  input?: string;
  /** The answer to a confirmation. Undefined: there is no person to ask. */
  answer?: string;
}

export interface World extends Keyboard {
  environment?: Record<string, string>;
}

export const CONFIGURED = { NODE_ENV: 'test', ENCRYPTION_KEYS: TEST_KEYS };

/** Runs a command line and returns its exit code and output. */
export async function typed(
  line: string,
  { input = '', answer, ...where }: Keyboard & Pick<CommandLine, 'identity' | 'service'> = {},
): Promise<Ran> {
  const ran = { out: '', err: '' };
  const code = await runCommandLine(line.split(' ').filter(Boolean), {
    terminal: {
      write: (written) => {
        ran.out += written;
      },
      isOver: false,
      isScreen: false,
      isInteractive: answer !== undefined,
      finish: async () => undefined,
      showStatus: () => undefined,
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
    ...where,
  });
  return { code, ...ran };
}

/** Runs a command line in a service that starts for it, on the database of a test. */
export function typedAt({ url, embedded }: TestDatabase, line: string, world: World = {}): Promise<Ran> {
  const { environment = {}, ...keyboard } = world;
  return typed(line, {
    ...keyboard,
    identity: {
      environment: { ...CONFIGURED, ...(url !== undefined && { DATABASE_URL: url }), ...environment },
      ...(embedded && { embeddedDatabase: embedded }),
    },
  });
}

/**
 * Runs a command line on a running service, because starting a second one takes longer than most commands. Test each
 * command once by `typedAt`.
 */
export function typedOn({ app }: TestService, line: string, keyboard: Keyboard = {}): Promise<Ran> {
  return typed(line, { ...keyboard, service: app });
}

/** Waits until the session has ended in the running service, which follows a command within a second. */
export async function untilEnded(client: TestClient): Promise<void> {
  await eventually(
    () => client.get('/api/auth/me'),
    ({ status }) => status === 401,
    2,
  );
}
