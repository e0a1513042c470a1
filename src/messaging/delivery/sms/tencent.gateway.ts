import { membersOf } from '../../../platform/util';
import { Injectable } from '@nestjs/common';
import { readEndpoint } from '../addresses';
import { tencent } from '../delivery.settings';
import { BAD_ANSWER, SendResult } from '../send-result';
import { TextMessage } from '../sms-sender';
import { codeOf, OpenCodes, outcomeOfCode, textOf } from './answers';
import { HttpAnswer, HttpPost, outcomeOfStatus } from './http-exchange';
import { readProviderTemplate } from './provider-template';
import { SmsGateway } from './sms.gateway';
import { tc3Headers } from './tc3-signature';

const CODES: OpenCodes = {
  throttled: /^(?:LimitExceeded|RequestLimitExceeded)/,
  unsure: /^(?:InternalError|ResourceUnavailable)/,
};

/** Tencent Cloud SMS, 2021-01-11 `SendSms`. */
@Injectable()
export class TencentGateway extends SmsGateway {
  readonly name = 'tencent';
  protected readonly own = tencent;

  async isSetUp(): Promise<boolean> {
    return (await this.account()) !== undefined;
  }

  protected async request({ id, to, providerTemplate, parameters }: TextMessage): Promise<HttpPost | undefined> {
    const account = await this.account();
    const template = account && readProviderTemplate(providerTemplate ?? account.templateId, parameters);
    if (!account || !template) return undefined;
    const body = JSON.stringify({
      PhoneNumberSet: [to],
      SmsSdkAppId: account.appId,
      TemplateId: template.id,
      // By position, in the order of the template's placeholders.
      TemplateParamSet: Object.values(template.values),
      SessionContext: id,
      ...(account.signName !== '' && { SignName: account.signName }),
    });
    const url = account.endpoint;
    const signed = { host: url.host, service: 'sms', action: 'SendSms', version: '2021-01-11', region: account.region };
    return { url, headers: tc3Headers({ ...signed, body, date: new Date() }, account), body };
  }

  /** The status is always 200. The message is accepted only if the codes of all numbers say so. */
  protected read(answer: HttpAnswer): SendResult {
    const { Error: error, SendStatusSet, RequestId } = membersOf(membersOf(answer.json)['Response']);
    const [first, ...others] = Array.isArray(SendStatusSet) ? (SendStatusSet as unknown[]) : [];
    const { Code, SerialNo, Fee } = membersOf(first);
    const code = codeOf(membersOf(error)['Code']) ?? codeOf(Code);
    const providerMessageId = textOf(SerialNo) ?? textOf(RequestId);
    const more = { ...(providerMessageId !== undefined && { providerMessageId }) };
    if (code === undefined) return { ...outcomeOfStatus(this.name, answer), ...more };
    if (code !== 'Ok') return this.result(outcomeOfCode(code, answer.status, CODES), { ...more, providerCode: code });
    if (answer.status !== 200 || others.length > 0) {
      return this.result('unknown', { ...more, providerCode: BAD_ANSWER });
    }
    const costClass = codeOf(Fee);
    return this.result('accepted', { ...more, ...(costClass !== undefined && { costClass }) });
  }

  private async account() {
    const [id, secret, appId, signName, templateId, region, endpoint] = await Promise.all([
      this.settings.get(tencent.secretId),
      this.settings.get(tencent.secretKey),
      this.settings.get(tencent.appId),
      this.settings.get(tencent.signName),
      this.settings.get(tencent.templateId),
      this.settings.get(tencent.region),
      this.settings.get(tencent.endpoint),
    ]);
    const url = this.allowed(readEndpoint(endpoint));
    return id === '' || secret === '' || appId === '' || !url
      ? undefined
      : { id, secret, appId, signName, templateId, region, endpoint: url };
  }
}
