import { createServer } from 'node:net';
import { Environment, EnvironmentError, StartRefusedError } from './platform/config';

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
    { variable: 'PORT', problem: `is ${port}: this user may not listen there`, allowed: 'a port from 1024 on' },
  ]);

const inUse = ({ host, port }: Address): StartRefusedError =>
  new StartRefusedError(
    `PORT is ${port}: another process listens there on ${host}; allowed: a free port, or 0 for any`,
  );

const notResolved = ({ host }: Address): StartRefusedError =>
  new StartRefusedError(`HOST is ${JSON.stringify(host)}: no name server answers what address that is`);

/** The part of the system's message about an address that an operator can act on. */
const REFUSALS: Readonly<Record<string, (address: Address) => StartRefusedError>> = {
  EADDRINUSE: inUse,
  EADDRNOTAVAIL: notOurs,
  ENOTFOUND: notOurs,
  EAI_AGAIN: notResolved,
  EACCES: notAllowed,
};

const refusal = (address: Address, error: NodeJS.ErrnoException): Error =>
  REFUSALS[error.code ?? '']?.(address) ?? error;

/**
 * Listens for a moment, so that a start which must fail for its address does so before anything is opened or made.
 * Errors: `EnvironmentError`; `StartRefusedError` while another process listens there.
 */
export function tryAddress(address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      reject(refusal(address, error));
    });
    server.listen(address.port, address.host, () => {
      server.close(() => {
        resolve();
      });
    });
  });
}
