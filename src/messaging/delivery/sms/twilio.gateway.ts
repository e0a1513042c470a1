import { membersOf } from '../../../platform/util';
import { Injectable } from '@nestjs/common';
import { readEndpoint } from '../addresses';
import { twilio } from '../delivery.settings';
import { SendResult } from '../send-result';
import { TextMessage } from '../sms-sender';
import { codeOf, textOf } from './answers';
import { HttpAnswer, HttpPost, outcomeOfStatus } from './http-exchange';
import { SmsGateway } from './sms.gateway';

/** Too many requests, a full queue, or the daily limit of an account. */
const THROTTLED = new Set(['20429', '21611', '63038', '14107']);
const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;

/** Twilio, 2010-04-01 `Messages`. */
@Injectable()
export class TwilioGateway extends SmsGateway {
  readonly name = 'twilio';
  protected readonly own = twilio;

  async isSetUp(): Promise<boolean> {
    return (await this.account()) !== undefined;
  }

  protected async request({ to, text }: TextMessage): Promise<HttpPost | undefined> {
    const account = await this.account();
    if (!account) return undefined;
    const { sid, token, from, endpoint } = account;
    const sender = MESSAGING_SERVICE.test(from) ? 'MessagingServiceSid' : 'From';
    return {
      url: new URL(`/2010-04-01/Accounts/${sid}/Messages.json`, endpoint),
      headers: {
        authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ To: to, [sender]: from, Body: text }).toString(),
    };
  }

  protected read(answer: HttpAnswer): SendResult {
    const response = membersOf(answer.json);
    const sid = textOf(response['sid']);
    const code = codeOf(response['code']) ?? codeOf(response['error_code']);
    const more = {
      ...(sid !== undefined && { providerMessageId: sid }),
      ...(code !== undefined && { providerCode: code }),
    };
    if (answer.status >= 300) return this.rejection(answer, more);
    if (sid === undefined) return outcomeOfStatus(this.name, answer);
    if (code !== undefined) return this.result('rejected', more);
    const costClass = codeOf(response['num_segments']);
    return this.result('accepted', { ...more, ...(costClass !== undefined && { costClass }) });
  }

  private rejection(answer: HttpAnswer, more: Partial<SendResult>): SendResult {
    const byStatus = outcomeOfStatus(this.name, answer);
    const isThrottled = byStatus.outcome === 'rejected' && THROTTLED.has(more.providerCode ?? '');
    return { ...byStatus, ...(isThrottled && { outcome: 'throttled' }), ...more };
  }

  private async account() {
    const [sid, token, from, endpoint] = await Promise.all([
      this.settings.get(twilio.accountSid),
      this.settings.get(twilio.authToken),
      this.settings.get(twilio.from),
      this.settings.get(twilio.endpoint),
    ]);
    const url = this.allowed(readEndpoint(endpoint));
    return sid === '' || token === '' || from === '' || !url ? undefined : { sid, token, from, endpoint: url };
  }
}
