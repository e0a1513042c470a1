import {
  boolean,
  choice,
  defineSetting,
  integer,
  multilineText,
  Setting,
  text,
  textList,
} from '../../platform/settings';
import { endpointViolation, hostViolation, identifierViolation, senderViolation, webHookViolation } from './addresses';

type Check = (value: string) => string | undefined;

const anyText: Check = () => undefined;
/** Also accepts an empty value: not configured. */
const orEmpty =
  (check: Check): Check =>
  (value) =>
    value === '' ? undefined : check(value);

const line = (key: string, maximum: number, check: Check = anyText, defaultValue = ''): Setting<string> =>
  defineSetting({ key, defaultValue, kind: text(maximum, orEmpty(check)), guarded: true });
const secret = (key: string): Setting<string> =>
  defineSetting({ key, defaultValue: '', kind: multilineText(1_000), secret: true, guarded: true });

export const smtpHost = line('email.smtp.host', 253, hostViolation);
/** Message submission with STARTTLS (RFC 8314 §3.3). */
export const SUBMISSION_PORT = 587;
export const smtpPort = defineSetting({
  key: 'email.smtp.port',
  defaultValue: SUBMISSION_PORT,
  kind: integer({ minimum: 1, maximum: 65_535 }),
  guarded: true,
});
/** TLS from the first byte, as on port 465. Otherwise STARTTLS. */
export const smtpSecure = defineSetting({
  key: 'email.smtp.secure',
  defaultValue: false,
  kind: boolean,
  guarded: true,
});
/** Default: the domain of the sender. */
export const smtpName = line('email.smtp.name', 253, hostViolation);
export const smtpUsername = line('email.smtp.username', 320);
export const smtpPassword = secret('email.smtp.password');
/** An address, or a name with an address in angle brackets. */
export const mailFrom = line('email.from', 400, senderViolation);

export const smsGateways = ['aliyun', 'tencent', 'twilio', 'http'] as const;
export type SmsGatewayName = (typeof smsGateways)[number];

export const smsProvider = defineSetting({
  key: 'sms.provider',
  defaultValue: 'console',
  kind: choice(['console', ...smsGateways]),
  guarded: true,
});
/** Used when the first provider certainly did not send the message. */
export const smsFallbackProvider = defineSetting({
  key: 'sms.fallback_provider',
  defaultValue: 'none',
  kind: choice(['none', ...smsGateways]),
  guarded: true,
});

export const aliyun = {
  accessKeyId: line('sms.aliyun.access_key_id', 128),
  accessKeySecret: secret('sms.aliyun.access_key_secret'),
  signName: line('sms.aliyun.sign_name', 100),
  templateCode: line('sms.aliyun.template_code', 200),
  endpoint: line('sms.aliyun.endpoint', 300, endpointViolation, 'https://dysmsapi.aliyuncs.com'),
};

export const tencent = {
  secretId: line('sms.tencent.secret_id', 128),
  secretKey: secret('sms.tencent.secret_key'),
  appId: line('sms.tencent.app_id', 64),
  signName: line('sms.tencent.sign_name', 100),
  templateId: line('sms.tencent.template_id', 200),
  region: line('sms.tencent.region', 64, identifierViolation, 'ap-guangzhou'),
  endpoint: line('sms.tencent.endpoint', 300, endpointViolation, 'https://sms.tencentcloudapi.com'),
};

export const twilio = {
  accountSid: line('sms.twilio.account_sid', 64, identifierViolation),
  authToken: secret('sms.twilio.auth_token'),
  /** An E.164 number, an alphanumeric sender id, or the id of a messaging service (MG…). */
  from: line('sms.twilio.from', 64),
  endpoint: line('sms.twilio.endpoint', 300, endpointViolation, 'https://api.twilio.com'),
};

export const httpHook = {
  url: line('sms.http.url', 2_000, webHookViolation),
  /** Signs each request. */
  secret: secret('sms.http.secret'),
};

const PHONE_PREFIX = /^\+[1-9]\d{0,9}$/;

/** The allowed phone number prefixes for SMS. Empty: all numbers. */
export const allowedPrefixes = defineSetting<readonly string[]>({
  key: 'sms.allowed_prefixes',
  defaultValue: [],
  kind: textList(300, (prefix) => (PHONE_PREFIX.test(prefix) ? undefined : 'phone_prefix')),
  guarded: true,
});

/** Settings that decide whether messages can be sent, and through which provider. */
export const messageRoute: readonly Setting[] = [
  smtpHost,
  smtpPort,
  smtpSecure,
  smtpUsername,
  smtpPassword,
  mailFrom,
  smsProvider,
  smsFallbackProvider,
  ...[aliyun, tencent, twilio, httpHook].flatMap((provider): Setting[] => Object.values(provider)),
];

/** A secret and the setting with its destination. */
export const boundSecrets: readonly { readonly secret: Setting<string>; readonly destination: Setting<string> }[] = [
  { secret: smtpPassword, destination: smtpHost },
  { secret: aliyun.accessKeySecret, destination: aliyun.endpoint },
  { secret: tencent.secretKey, destination: tencent.endpoint },
  { secret: twilio.authToken, destination: twilio.endpoint },
  { secret: httpHook.secret, destination: httpHook.url },
];

export const deliveryRetentionDays = defineSetting({
  key: 'delivery.retention_days',
  defaultValue: 90,
  kind: integer({ minimum: 1, maximum: 3_650 }),
  sensitive: true,
});
