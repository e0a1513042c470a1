import { Injectable } from '@nestjs/common';
import { SmsSender } from 'castellan';
import type { SendResult, TextMessage } from 'castellan';

/** URL and timeout of the company's SMS gateway. */
@Injectable()
export class SmsGateway {
  url = process.env['SMS_GATEWAY_URL'];
  patienceMs = 4_000;
}

/** Sends texts through the company's gateway: `{ "to", "text" }` as JSON, 2xx on success. */
@Injectable()
export class HouseSms extends SmsSender {
  constructor(private readonly gateway: SmsGateway) {
    super();
  }

  async isOffered(): Promise<boolean> {
    return this.gateway.url !== undefined;
  }

  async send({ id, to, text }: TextMessage): Promise<SendResult> {
    const { url, patienceMs } = this.gateway;
    if (url === undefined) return { outcome: 'rejected', provider: 'house', providerCode: 'not_set_up' };
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      });
      const outcome = answer.ok ? 'accepted' : 'rejected';
      return { outcome, provider: 'house', providerCode: String(answer.status) };
    } catch (error) {
      return wasNeverSent(error)
        ? { outcome: 'rejected', provider: 'house', providerCode: 'unreachable' }
        : { outcome: 'unknown', provider: 'house', providerCode: 'no_answer' };
    }
  }
}

/** Returns whether no connection was made. After a connection, the gateway may have sent the text. */
function wasNeverSent(error: unknown): boolean {
  const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
  return ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code);
}
