import { Injectable } from '@nestjs/common';
import { hmacSha256 } from '../../../platform/crypto';
import { isJsonObject, membersOf } from '../../../platform/util';
import { DeliveryOutcome, deliveryOutcomes } from '../../message/message';
import { readWebHook } from '../addresses';
import { httpHook } from '../delivery.settings';
import { SendResult } from '../send-result';
import { TextMessage } from '../sms-sender';
import { codeOf } from './answers';
import { HttpAnswer, HttpPost, outcomeOfStatus } from './http-exchange';
import { SmsGateway } from './sms.gateway';

/** Calls any HTTP service with a signed JSON POST. `docs/messages.md` describes its responses. */
@Injectable()
export class HttpHookGateway extends SmsGateway {
  readonly name = 'http';
  protected readonly own = httpHook;

  async isSetUp(): Promise<boolean> {
    return (await this.url()) !== undefined;
  }

  protected async request(message: TextMessage): Promise<HttpPost | undefined> {
    const url = await this.url();
    if (!url) return undefined;
    const { id, to, purpose, language, text, providerTemplate = null, parameters } = message;
    const body = JSON.stringify({ id, to, purpose, language, text, template: providerTemplate, parameters });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const secret = await this.settings.get(httpHook.secret);
    const signature = hmacSha256(secret, `${timestamp}.${body}`).toString('hex');
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'idempotency-key': id,
      'x-castellan-timestamp': timestamp,
      ...(secret !== '' && { 'x-castellan-signature': `v1=${signature}` }),
    };
    return { url, headers, body };
  }

  protected read(answer: HttpAnswer): SendResult {
    const response = membersOf(answer.json);
    const providerMessageId = codeOf(response['id']);
    const providerCode = codeOf(response['code']);
    const more = {
      ...(providerMessageId !== undefined && { providerMessageId }),
      ...(providerCode !== undefined && { providerCode }),
    };
    const outcome = deliveryOutcomes.find((known) => known === response['outcome']) ?? this.silent(answer);
    return outcome ? this.result(outcome, more) : { ...outcomeOfStatus(this.name, answer), ...more };
  }

  /** The outcome of a response that names none: `accepted` for a 2xx response with an empty body or an object. */
  private silent({ status, text, json }: HttpAnswer): DeliveryOutcome | undefined {
    const isPlain = text === '' || (isJsonObject(json) && !('outcome' in json));
    return status >= 200 && status < 300 && isPlain ? 'accepted' : undefined;
  }

  private async url(): Promise<URL | undefined> {
    return this.allowed(readWebHook(await this.settings.get(httpHook.url)));
  }
}
