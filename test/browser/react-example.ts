import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { allowedOrigins } from '../../src/platform/http';
import { freePort } from '../support/servers/redis-server';
import { builtPackages } from './built-packages';
import { type Served, serveForAll } from './stage';

const root = join(__dirname, '..', '..');
const example = join(root, 'examples/react');

/** The React example with each version of React, for `describe.each`. */
export const REACT_VERSIONS = [
  { name: 'React 19', config: join(example, 'vite.config.js') },
  { name: 'React 18', config: join(__dirname, 'react-18.vite.config.mjs') },
];

/** Read its members in tests and hooks only. */
export interface ServedExample extends Served {
  /** Of the example's page. */
  readonly url: string;
}

/** A service, and the React example on another port. */
export function serveReactExample(config: string): ServedExample {
  const served = serveForAll();
  let vite: ChildProcess;
  let url = '';

  beforeAll(async () => {
    await builtPackages();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    await served.service.set(allowedOrigins, [url]);
    const program = join(root, 'node_modules/vite/bin/vite.js');
    vite = spawn(process.execPath, [program, example, '--config', config, '--port', String(port)], {
      env: { ...process.env, VITE_CASTELLAN_URL: served.address },
    });
    vite.stderr?.pipe(process.stderr);
    await once(vite.stdout!, 'data');
  }, 180_000);

  afterAll(() => {
    vite.kill();
  });

  return {
    get service() {
      return served.service;
    },
    get address() {
      return served.address;
    },
    get url() {
      return url;
    },
  };
}
