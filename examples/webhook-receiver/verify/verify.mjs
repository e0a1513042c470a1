// Verifies deliveries of webhooks (Standard Webhooks). Node.js, without packages.
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const MAX_AGE_SECONDS = 300;

/**
 * Whether the delivery comes from the service and is recent.
 * @param headers of the request, with names in lower case.
 * @param body as it arrived, before it is parsed.
 */
export function isValid(secret, headers, body, now = Date.now() / 1000) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(now - Number(timestamp)) <= MAX_AGE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // Two signatures while secrets overlap.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const [version, value = ''] = signature.split(',');
      const given = Buffer.from(value, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

/** Run by itself, it reads lines of `vector.tsv` and prints its verdicts. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
    const [, , secret, id, timestamp, signature, now, body] = line.split('\t');
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    console.log(isValid(secret, headers, body, Number(now)) ? 'valid' : 'rejected');
  }
}
