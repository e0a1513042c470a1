/* The bare limit of a login or a registration: hashes on all cores, requested over the IPC channel. */
import { hash, verify } from '@node-rs/argon2';
import { COST } from '../lib/argon2.mjs';

const PASSWORD = 'correct horse battery staple';
const stored = await hash(PASSWORD, COST);
const work = { verify: () => verify(stored, PASSWORD), hash: () => hash(PASSWORD, COST) };

process.on('message', async ({ kind, seconds, atOnce }) => {
  const cpu = process.cpuUsage();
  const from = performance.now();
  const times = [];
  const one = async () => {
    while (performance.now() - from < seconds * 1_000) {
      const began = performance.now();
      await work[kind]();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const took = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  process.send({ times, took, cpuUs: (user + system) / times.length, residentMb: process.memoryUsage.rss() / 2 ** 20 });
});
process.send('ready');
