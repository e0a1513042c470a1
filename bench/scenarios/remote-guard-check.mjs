/*
 * The duration of one check of the guard in another service while the session is in memory: the median of the rounds,
 * in nanoseconds. Runs as a separate script, so that other code does not influence V8's optimizations.
 */
import { createRequire } from 'node:module';
import { median } from '../lib/statistics.mjs';

const require = createRequire(new URL('../../package.json', import.meta.url));
require('reflect-metadata');
const { Reflector } = require('@nestjs/core');
const { RemoteAccessGuard, RequirePermission } = require('./dist/service-guard/client/index.js');
const { RemoteSessionsService } = require('./dist/service-guard/client/remote-sessions.service.js');

const SESSIONS = 100;
/** Shorter than the second for which a session is remembered. */
const BATCH = 20_000;
const ROUNDS = 21;
const response = {
  active: true,
  user: { id: 'id', username: 'ann', locale: 'en' },
  session: { id: 'id', amr: ['pwd'], recent_login: true, recent_second_factor: false },
  second_factor: { offered: true, enrolled: false },
  pending: null,
  permissions: ['invoice:read'],
  subjects: ['session', 'user'],
  expires_in: 900,
};
const castellan = { call: async () => response };
const sessions = new RemoteSessionsService(castellan, { permissions: ['invoice:read'] });
const connection = { accessCookie: () => '__Host-iam_access', describe: () => ({}) };
const guard = new RemoteAccessGuard(new Reflector(), {}, connection, sessions, {});

class InvoicesController {
  list() {}
}
const handler = InvoicesController.prototype.list;
RequirePermission('invoice:read')(
  InvoicesController.prototype,
  'list',
  Object.getOwnPropertyDescriptor(InvoicesController.prototype, 'list'),
);

/** As long as a browser's: both cookies and a few others. */
const contexts = Array.from({ length: SESSIONS }, (_, index) => {
  const token = `${'h'.repeat(120)}.${String(index).padStart(240, 'p')}.${'s'.repeat(86)}`;
  const cookie = `theme=dark; __Host-iam_access=${token}; __Host-iam_refresh=${token}; other=1`;
  const request = { method: 'GET', headers: { cookie, host: 'app.example.com' }, params: {} };
  return {
    getClass: () => InvoicesController,
    getHandler: () => handler,
    switchToHttp: () => ({ getRequest: () => request }),
  };
});

const times = [];
for (let round = 0; round <= ROUNDS; round++) {
  sessions.dropAll();
  for (const context of contexts) await guard.canActivate(context);
  const from = process.hrtime.bigint();
  let admitted = 0;
  for (let index = 0; index < BATCH; index++) if (guard.canActivate(contexts[index % SESSIONS]) === true) admitted++;
  if (round > 0) times.push(Number(process.hrtime.bigint() - from) / BATCH);
  if (admitted < BATCH * 0.9) throw new Error(`${admitted} checks were answered from memory`);
}
process.stdout.write(`${median(times)}\n`);
process.exit();
