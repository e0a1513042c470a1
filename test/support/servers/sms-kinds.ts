import type { Type } from '@nestjs/common';
import { Setting, SettingsReader } from '../../../src/platform/settings';
import type { SendResult, TextMessage } from '../../../src/messaging';
import { AliyunGateway, HttpHookGateway, TencentGateway, TwilioGateway } from '../../../src/messaging/delivery';
import type { SmsGateway } from '../../../src/messaging/delivery/sms/sms.gateway';
import { answer, isAliyunSigned, isHookSigned, isTencentSigned, VendorReply, VendorRequest } from './sms-vendors';

export const SECRET = 'the-secret-of-tests';

export class GivenSettings extends SettingsReader {
  readonly values = new Map<string, unknown>();

  override async get<T>(setting: Setting<T>): Promise<T> {
    return (this.values.has(setting.key) ? this.values.get(setting.key) : setting.defaultValue) as T;
  }
}

export const text: TextMessage = {
  id: '0190a000-0000-7000-8000-000000000001',
  to: '+8613800138000',
  purpose: 'login',
  language: 'zh',
  text: '您的验证码是 012345，10 分钟内有效。',
  parameters: { code: '012345', minutes: '10' },
};

export interface Kind {
  readonly gateway: Type<SmsGateway>;
  /** Settings other than the address. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly path: string;
  readonly accepted: VendorReply;
  readonly messageId: string;
  /** Whether the real provider would accept the request. */
  readonly isSigned: (request: VendorRequest) => boolean;
  /** Responses with the result they mean. */
  readonly answers: readonly [VendorReply, Partial<SendResult>][];
}

export const aliyunSays = (Code: string, status = 200): VendorReply =>
  answer(status, { Code, Message: 'said', RequestId: 'request-1' });
const tencentSays = (Code: string, status = 200): VendorReply =>
  answer(status, { Response: { Error: { Code, Message: 'said' }, RequestId: 'request-1' } });
const tencentStatus = (...codes: string[]): VendorReply =>
  answer(200, {
    Response: {
      SendStatusSet: codes.map((Code) => ({ SerialNo: 'serial-1', PhoneNumber: text.to, Fee: 1, Code })),
      RequestId: 'request-1',
    },
  });
const twilioSays = (status: number, code: number): VendorReply => answer(status, { code, message: 'said', status });

export const kinds: Record<string, Kind> = {
  aliyun: {
    gateway: AliyunGateway,
    settings: {
      'sms.aliyun.access_key_id': 'key-1',
      'sms.aliyun.access_key_secret': SECRET,
      'sms.aliyun.sign_name': '城堡 & Co',
      'sms.aliyun.template_code': 'SMS_1(code)',
    },
    address: 'sms.aliyun.endpoint',
    path: '',
    accepted: answer(200, { Code: 'OK', Message: 'OK', BizId: 'biz-1', RequestId: 'request-1' }),
    messageId: 'biz-1',
    isSigned: (request) => isAliyunSigned(request, SECRET),
    answers: [
      [aliyunSays('isv.BUSINESS_LIMIT_CONTROL'), { outcome: 'throttled', providerCode: 'isv.BUSINESS_LIMIT_CONTROL' }],
      [aliyunSays('Throttling.User', 400), { outcome: 'throttled' }],
      [aliyunSays('isv.MOBILE_NUMBER_ILLEGAL'), { outcome: 'rejected', providerCode: 'isv.MOBILE_NUMBER_ILLEGAL' }],
      [aliyunSays('isv.AMOUNT_NOT_ENOUGH'), { outcome: 'rejected' }],
      [aliyunSays('SignatureDoesNotMatch', 400), { outcome: 'rejected', providerCode: 'SignatureDoesNotMatch' }],
      [aliyunSays('isp.SYSTEM_ERROR'), { outcome: 'unknown', providerCode: 'isp.SYSTEM_ERROR' }],
      [aliyunSays('OK', 500), { outcome: 'unknown' }],
      [aliyunSays('UnknownError', 500), { outcome: 'unknown', providerCode: 'UnknownError' }],
      [aliyunSays('Throttling.Api', 503), { outcome: 'throttled' }],
    ],
  },
  tencent: {
    gateway: TencentGateway,
    settings: {
      'sms.tencent.secret_id': 'key-1',
      'sms.tencent.secret_key': SECRET,
      'sms.tencent.app_id': '1400006666',
      'sms.tencent.sign_name': '城堡',
      'sms.tencent.template_id': '1110',
    },
    address: 'sms.tencent.endpoint',
    path: '',
    accepted: tencentStatus('Ok'),
    messageId: 'serial-1',
    isSigned: (request) => isTencentSigned(request, SECRET),
    answers: [
      [tencentStatus('LimitExceeded.PhoneNumberThirtySecondLimit'), { outcome: 'throttled' }],
      [tencentSays('RequestLimitExceeded'), { outcome: 'throttled' }],
      [tencentStatus('FailedOperation.PhoneNumberInBlacklist'), { outcome: 'rejected' }],
      [
        tencentSays('AuthFailure.SignatureFailure'),
        { outcome: 'rejected', providerCode: 'AuthFailure.SignatureFailure' },
      ],
      [tencentSays('InternalError.SendAndRecvFail'), { outcome: 'unknown' }],
      [tencentSays('GatewayError', 502), { outcome: 'unknown', providerCode: 'GatewayError' }],
      [tencentStatus(), { outcome: 'unknown', providerCode: 'bad_answer' }],
      [tencentStatus('Ok', 'FailedOperation.ContainSensitiveWord'), { outcome: 'unknown' }],
    ],
  },
  twilio: {
    gateway: TwilioGateway,
    settings: {
      'sms.twilio.account_sid': 'AC00000000000000000000000000000001',
      'sms.twilio.auth_token': SECRET,
      'sms.twilio.from': '+15005550006',
    },
    address: 'sms.twilio.endpoint',
    path: '',
    accepted: answer(201, { sid: 'SM1', status: 'queued', error_code: null, num_segments: '1' }),
    messageId: 'SM1',
    isSigned: ({ headers }) =>
      headers.authorization ===
      `Basic ${Buffer.from(`AC00000000000000000000000000000001:${SECRET}`).toString('base64')}`,
    answers: [
      [twilioSays(429, 20429), { outcome: 'throttled', providerCode: '20429' }],
      [twilioSays(400, 63038), { outcome: 'throttled' }],
      [twilioSays(400, 21211), { outcome: 'rejected', providerCode: '21211' }],
      [twilioSays(401, 20003), { outcome: 'rejected', providerCode: '20003' }],
      [twilioSays(500, 20500), { outcome: 'unknown', providerCode: '20500' }],
      [
        answer(201, { sid: 'SM2', status: 'failed', error_code: 30007 }),
        { outcome: 'rejected', providerCode: '30007' },
      ],
      [answer(200, {}), { outcome: 'unknown' }],
    ],
  },
  http: {
    gateway: HttpHookGateway,
    settings: { 'sms.http.secret': SECRET },
    address: 'sms.http.url',
    path: '/send?tenant=1',
    accepted: answer(200, { id: 'hook-1' }),
    messageId: 'hook-1',
    isSigned: (request) => isHookSigned(request, SECRET),
    answers: [
      [answer(204, ''), { outcome: 'accepted' }],
      [answer(200, { outcome: 'throttled', code: 'slow' }), { outcome: 'throttled', providerCode: 'slow' }],
      [answer(200, { outcome: 'rejected' }), { outcome: 'rejected' }],
      [answer(200, { outcome: 'perhaps' }), { outcome: 'unknown' }],
      [answer(400, { code: 'no' }), { outcome: 'rejected', providerCode: 'no' }],
    ],
  },
};
