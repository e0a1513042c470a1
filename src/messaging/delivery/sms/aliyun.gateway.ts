import { Injectable } from '@nestjs/common';
import { randomToken } from '../../../platform/crypto';
import { membersOf } from '../../../platform/util';
import { readEndpoint } from '../addresses';
import { aliyun } from '../delivery.settings';
import { SendResult } from '../send-result';
import { TextMessage } from '../sms-sender';
import { acs3Headers, canonicalQuery } from './acs3-signature';
import { codeOf, OpenCodes, outcomeOfCode, textOf } from './answers';
import { HttpAnswer, HttpPost, outcomeOfStatus } from './http-exchange';
import { readProviderTemplate } from './provider-template';
import { SmsGateway } from './sms.gateway';

const CODES: OpenCodes = {
  throttled: /^(?:isv\.(?:BUSINESS|DAY|MONTH)_LIMIT_CONTROL$|Throttling)/,
  unsure: /^(?:isp\.SYSTEM_ERROR|InternalError|ServiceUnavailable)/,
};
const MAINLAND = /^\+86(?=1\d{10}$)/;

/** Alibaba Cloud SMS, Dysmsapi 2017-05-25 `SendSms`. */
@Injectable()
export class AliyunGateway extends SmsGateway {
  readonly name = 'aliyun';
  protected readonly own = aliyun;

  async isSetUp(): Promise<boolean> {
    return (await this.account()) !== undefined;
  }

  protected async request({ id, to, providerTemplate, parameters }: TextMessage): Promise<HttpPost | undefined> {
    const account = await this.account();
    const template = account && readProviderTemplate(providerTemplate ?? account.templateCode, parameters);
    if (!account || !template) return undefined;
    const query = {
      // Mainland numbers without the country code, all others with it.
      PhoneNumbers: to.replace(MAINLAND, '').replace(/^\+/, ''),
      SignName: account.signName,
      TemplateCode: template.id,
      TemplateParam: JSON.stringify(template.values),
      OutId: id,
    };
    const url = new URL(`/?${canonicalQuery(query)}`, account.endpoint);
    const signed = { method: 'POST', host: url.host, action: 'SendSms', version: '2017-05-25', query, body: '' };
    const headers = acs3Headers({ ...signed, date: new Date(), nonce: randomToken(16) }, account);
    return { url, headers: { ...headers, accept: 'application/json' }, body: '' };
  }

  protected read(answer: HttpAnswer): SendResult {
    const { Code, BizId, RequestId } = membersOf(answer.json);
    const code = codeOf(Code);
    const providerMessageId = textOf(BizId) ?? textOf(RequestId);
    const more = { ...(providerMessageId !== undefined && { providerMessageId }) };
    if (code === undefined || (code === 'OK' && answer.status !== 200)) {
      return { ...outcomeOfStatus(this.name, answer), ...more };
    }
    return code === 'OK'
      ? this.result('accepted', more)
      : this.result(outcomeOfCode(code, answer.status, CODES), { ...more, providerCode: code });
  }

  private async account() {
    const [id, secret, signName, templateCode, endpoint] = await Promise.all([
      this.settings.get(aliyun.accessKeyId),
      this.settings.get(aliyun.accessKeySecret),
      this.settings.get(aliyun.signName),
      this.settings.get(aliyun.templateCode),
      this.settings.get(aliyun.endpoint),
    ]);
    const url = this.allowed(readEndpoint(endpoint));
    return id === '' || secret === '' || signName === '' || !url
      ? undefined
      : { id, secret, signName, templateCode, endpoint: url };
  }
}
