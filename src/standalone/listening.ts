import { createServer } from 'node:net';
import { Environment, EnvironmentError, StartupError } from '../platform/config';

type Address = Pick<Environment, 'host' | 'port'>;

const notOurs = ({ host }: Address): EnvironmentError =>
  new EnvironmentError([
    {
      variable: 'HOST',
      problem: `is ${JSON.stringify(host)}: not an address of this machine`,
      allowed: 'an address of this machine, 0.0.0.0 or :: for all of them, or a name of one',
    },
  ]);

const notAllowed = ({ port }: Address): EnvironmentError =>
  new EnvironmentError([
    {
      variable: 'PORT',
      problem: `is ${port}: this user has no permission to listen there`,
      allowed: 'a port from 1024 on',
    },
  ]);

const inUse = ({ host, port }: Address): StartupError =>
  new StartupError(`PORT is ${port}: another process listens there on ${host}; allowed: a free port, or 0 for any`);

const notResolved = ({ host }: Address): StartupError =>
  new StartupError(`HOST is ${JSON.stringify(host)}: no name server resolves it`);

/** Turns system errors about the address into errors that an operator can act on. */
const ERRORS: Readonly<Record<string, (address: Address) => StartupError>> = {
  EADDRINUSE: inUse,
  EADDRNOTAVAIL: notOurs,
  ENOTFOUND: notOurs,
  EAI_AGAIN: notResolved,
  EACCES: notAllowed,
};

const errorFor = (address: Address, error: NodeJS.ErrnoException): Error =>
  ERRORS[error.code ?? '']?.(address) ?? error;

/**
 * Listens for a moment, so that a wrong address stops the start before anything is opened or created.
 * Throws `EnvironmentError`, or `StartupError` while another process listens there.
 */
export function tryAddress(address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      reject(errorFor(address, error));
    });
    server.listen(address.port, address.host, () => {
      server.close(() => {
        resolve();
      });
    });
  });
}
