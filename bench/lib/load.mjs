import autocannon from 'autocannon';
import { busyBetween, cpuMs, machineLook, residentMb } from './process.mjs';
import { quantile } from './statistics.mjs';

/** Throws when a response is not 2xx. The message holds one sample. */
function assertAllSucceeded(name, { non2xx, errors, timeouts, statusCodeStats }, sample) {
  if (non2xx + errors + timeouts === 0) return;
  throw new Error(`${name}: responses ${JSON.stringify(statusCodeStats)}, ${errors} errors; ${sample}`);
}

function asRequest(target, { method = 'GET', path, body, headers }) {
  return {
    method,
    path,
    headers: { ...target.headers, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}

/**
 * Puts a load on the server. Each connection sends its requests one after the other, and repeats them.
 * @param plan.requestsOf returns the requests of connection `index`: a list, or, when a request depends on the last
 *   response, one object with `next()` and `took(body, headers)`.
 * @param plan.amount ends the run after this many requests instead of after `plan.seconds`.
 */
export async function load(target, { connections = 32, seconds, amount, requestsOf }) {
  let index = 0;
  let sample = '';
  const look = (status, body) => {
    if (sample === '' && (status < 200 || status > 299)) sample = String(body).slice(0, 300);
  };
  const setupClient = (client) => {
    const asked = requestsOf(index++);
    const requests = Array.isArray(asked)
      ? asked.map((one) => ({ ...asRequest(target, one), onResponse: look }))
      : [
          {
            setupRequest: (request) => ({ ...request, ...asRequest(target, asked.next()) }),
            onResponse: (status, body, context, headers) => {
              look(status, body);
              if (status >= 200 && status < 300) asked.took?.(body, headers);
            },
          },
        ];
    client.setRequests(requests);
  };
  const times = [];
  const [before, from] = [machineLook(), cpuMs(target.pid)];
  const run = autocannon({
    url: target.url,
    connections: amount === undefined ? connections : Math.min(connections, amount),
    ...(amount === undefined ? { duration: seconds } : { amount }),
    sampleInt: 100,
    timeout: 20,
    setupClient,
  });
  const started = performance.now();
  let ended = started;
  run.on('response', (_client, _status, _bytes, ms) => {
    times.push(ms);
    ended = performance.now();
  });
  const result = await run;
  const cpu = cpuMs(target.pid) - from;
  assertAllSucceeded(target.name, result, sample);
  times.sort((one, other) => one - other);
  return {
    requests: times.length,
    perSecond: (times.length * 1_000) / (ended - started),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    longest: times.at(-1),
    cpuUs: (cpu * 1_000) / times.length,
    residentMb: residentMb(target.pid),
    busy: busyBetween(before, machineLook()),
  };
}
