import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Environment } from '../../src/platform/config';
import type { SendResult, TextMessage } from '../../src/messaging';
import {
  AliyunGateway,
  ConfiguredSmsSenderService,
  DevInboxService,
  HttpHookGateway,
  SmsGatewayRegistry,
  TencentGateway,
  TwilioGateway,
} from '../../src/messaging/delivery';
import { RecordingLog } from '../support/service/recording-log';
import { aliyunSays, GivenSettings, Kind, kinds, SECRET, text } from '../support/servers/sms-kinds';
import { answer, Vendor, VendorReply, VendorRequest } from '../support/servers/sms-vendors';

/** Generous timeouts for a busy machine, which no test waits for. */
const PATIENT = { connectMs: 20_000, totalMs: 20_000 };
const SHORT = { connectMs: 1_500, totalMs: 1_500 };
const environment = (isProduction: boolean): Environment => ({ isProduction }) as Environment;

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function settingsOf(kind: Kind, origin: string): GivenSettings {
  const settings = new GivenSettings();
  for (const [key, value] of Object.entries(kind.settings)) settings.values.set(key, value);
  settings.values.set(kind.address, `${origin}${kind.path}`);
  return settings;
}

/** A server of the provider that rejects invalid signatures as the real one would. */
async function vendorOf(kind: Kind, reply: VendorReply): Promise<Vendor> {
  const vendor = await Vendor.start((request) => (kind.isSigned(request) ? reply : answer(403, { Code: 'unsigned' })));
  stops.push(() => vendor.stop());
  return vendor;
}

/** A server that does not speak HTTP, or returns nothing usable. */
async function stranger(
  onConnection: (socket: Socket) => void,
): Promise<{ origin: string; connections: () => number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

interface Asking {
  readonly message?: TextMessage;
  readonly isProduction?: boolean;
  readonly limits?: typeof PATIENT;
}

function ask(kind: Kind, origin: string, asking: Asking = {}): Promise<SendResult> {
  const { message = text, isProduction = false, limits = PATIENT } = asking;
  return new kind.gateway(settingsOf(kind, origin), environment(isProduction)).send(message, limits);
}

describe.each(Object.entries(kinds))('SMS through %s', (name, kind) => {
  it('is accepted with a signed request', async () => {
    const vendor = await vendorOf(kind, kind.accepted);
    expect(await ask(kind, vendor.origin)).toMatchObject({
      outcome: 'accepted',
      provider: name,
      providerMessageId: kind.messageId,
    });
    expect(vendor.requests).toHaveLength(1);
    const [request] = vendor.requests as [VendorRequest];
    expect(request.method).toBe('POST');
    expect(`${request.url.pathname}${request.body}`).not.toContain(SECRET);
  });

  it('has the result of the provider after one request', async () => {
    for (const [reply, expected] of kind.answers) {
      const vendor = await vendorOf(kind, reply);
      expect(await ask(kind, vendor.origin)).toMatchObject({ provider: name, ...expected });
      expect(vendor.requests).toHaveLength(1);
    }
  });

  it.each<[string, VendorReply, Partial<SendResult>]>([
    ['400 without a body', answer(400, ''), { outcome: 'rejected', providerCode: 'http_400' }],
    ['429', answer(429, '', { 'retry-after': '7' }), { outcome: 'throttled', retryAfterSeconds: 7 }],
    ['500', answer(500, 'oops'), { outcome: 'unknown', providerCode: 'http_500' }],
    ['503', answer(503, '<html>'), { outcome: 'unknown', providerCode: 'http_503' }],
    ['an HTML page', answer(200, '<html>welcome</html>'), { outcome: 'unknown', providerCode: 'bad_answer' }],
    ['a list', answer(200, [1]), { outcome: 'unknown' }],
    ['a number', answer(200, 1), { outcome: 'unknown' }],
    [
      'a redirect',
      answer(302, '', { location: 'http://127.0.0.1:1/' }),
      { outcome: 'rejected', providerCode: 'http_302' },
    ],
    ['more than 64 KiB', answer(200, `"${'x'.repeat(70_000)}"`), { outcome: 'unknown', providerCode: 'bad_answer' }],
    [
      'a closed connection',
      (response) => response.destroy(),
      { outcome: 'unknown', providerCode: 'connection_broken' },
    ],
  ])('is requested once when the response is %s', async (_, reply, expected) => {
    const vendor = await vendorOf(kind, reply);
    expect(await ask(kind, vendor.origin)).toMatchObject(expected);
    expect(vendor.requests).toHaveLength(1);
  });

  it('is reported as not sent when the provider is unreachable', async () => {
    const { origin } = await stranger(() => undefined);
    await stops.pop()!();
    expect(await ask(kind, origin)).toEqual({ outcome: 'rejected', provider: name, providerCode: 'unreachable' });
  });

  it('is not retried after a connect timeout, which leaves the time to a second provider', async () => {
    const { origin, connections } = await stranger(() => undefined);
    const result = await ask(kind, origin.replace('http:', 'https:'), { limits: { connectMs: 400, totalMs: 20_000 } });
    expect(result).toEqual({ outcome: 'rejected', provider: name, providerCode: 'unreachable' });
    expect(connections()).toBe(1);
  });

  it('may have been sent when the response is no HTTP', async () => {
    const { origin, connections } = await stranger((socket) =>
      socket.once('data', () => socket.end('220 hello\r\n\r\n')),
    );
    expect((await ask(kind, origin)).outcome).toBe('unknown');
    expect(connections()).toBe(1);
  });

  it('may use plain http only outside production', async () => {
    const vendor = await vendorOf(kind, kind.accepted);
    expect(await ask(kind, vendor.origin, { isProduction: true })).toMatchObject({
      outcome: 'rejected',
      providerCode: 'not_set_up',
    });
    expect(vendor.requests).toHaveLength(0);
  });
});

describe('SMS through any provider', () => {
  // All providers at once, because each test waits for the timeout.
  it.each<[string, VendorReply]>([
    ['nothing', () => undefined],
    [
      'a truncated response',
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"Code":');
      },
    ],
  ])('is requested once when the response is %s', async (_, reply) => {
    const results = await Promise.all(
      Object.values(kinds).map(async (kind) => {
        const vendor = await vendorOf(kind, reply);
        const { outcome, provider, providerCode } = await ask(kind, vendor.origin, { limits: SHORT });
        return { outcome, provider, providerCode, requests: vendor.requests.length };
      }),
    );
    const timeout = { outcome: 'unknown', providerCode: 'timeout', requests: 1 };
    expect(results).toEqual(Object.keys(kinds).map((provider) => ({ ...timeout, provider })));
  });
});

describe('requests to SMS providers', () => {
  const sent = async (kind: Kind, message: TextMessage = text): Promise<VendorRequest> => {
    const vendor = await vendorOf(kind, kind.accepted);
    await ask(kind, vendor.origin, { message });
    return vendor.requests[0]!;
  };

  it('at Alibaba Cloud contain the number without +86, the signature, the template and its values', async () => {
    const { url, headers } = await sent(kinds['aliyun']!);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      PhoneNumbers: '13800138000',
      SignName: '城堡 & Co',
      TemplateCode: 'SMS_1',
      TemplateParam: '{"code":"012345"}',
      OutId: text.id,
    });
    expect(headers).toMatchObject({ 'x-acs-action': 'SendSms', 'x-acs-version': '2017-05-25' });
    expect(headers['x-acs-date']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const abroad = await sent(kinds['aliyun']!, {
      ...text,
      to: '+447400123456',
      providerTemplate: 'SMS_2(number=code)',
    });
    expect(Object.fromEntries(abroad.url.searchParams)).toMatchObject({
      PhoneNumbers: '447400123456',
      TemplateCode: 'SMS_2',
      TemplateParam: '{"number":"012345"}',
    });
  });

  it('at Tencent Cloud contain the values by position', async () => {
    const { body } = await sent(kinds['tencent']!);
    expect(JSON.parse(body)).toEqual({
      PhoneNumberSet: [text.to],
      SmsSdkAppId: '1400006666',
      SignName: '城堡',
      TemplateId: '1110',
      TemplateParamSet: ['012345', '10'],
      SessionContext: text.id,
    });
    const other = await sent(kinds['tencent']!, { ...text, providerTemplate: '7(minutes,code)' });
    expect(JSON.parse(other.body)).toMatchObject({ TemplateId: '7', TemplateParamSet: ['10', '012345'] });
  });

  it('at Twilio contain the text', async () => {
    const { url, body } = await sent(kinds['twilio']!);
    expect(url.pathname).toBe('/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      To: text.to,
      From: '+15005550006',
      Body: text.text,
    });
  });

  it('at a hook contain everything', async () => {
    const { url, headers, body } = await sent(kinds['http']!);
    expect(`${url.pathname}${url.search}`).toBe('/send?tenant=1');
    expect(headers['idempotency-key']).toBe(text.id);
    expect(JSON.parse(body)).toEqual({ ...text, template: null });
  });

  it('are not sent when a template value is missing', async () => {
    const kind = kinds['aliyun']!;
    const vendor = await vendorOf(kind, kind.accepted);
    expect(await ask(kind, vendor.origin, { message: { ...text, providerTemplate: 'SMS_1(secret)' } })).toMatchObject({
      outcome: 'rejected',
      providerCode: 'not_set_up',
    });
    expect(vendor.requests).toHaveLength(0);
  });
});

describe('fallback provider', () => {
  async function sender(
    first: VendorReply | undefined,
  ): Promise<{ send: () => Promise<SendResult>; asked: () => number[]; settings: GivenSettings }> {
    const aliyun = kinds['aliyun']!;
    const http = kinds['http']!;
    const one = await vendorOf(aliyun, first ?? aliyun.accepted);
    const two = await vendorOf(http, http.accepted);
    const settings = settingsOf(aliyun, one.origin);
    for (const [key, value] of settingsOf(http, two.origin).values) settings.values.set(key, value);
    settings.values.set('sms.provider', 'aliyun').set('sms.fallback_provider', 'http');
    if (!first) await one.stop();
    const plain = environment(false);
    const gateways = new SmsGatewayRegistry(
      new AliyunGateway(settings, plain),
      new TencentGateway(settings, plain),
      new TwilioGateway(settings, plain),
      new HttpHookGateway(settings, plain),
    );
    const log = new RecordingLog();
    const configured = new ConfiguredSmsSenderService(
      gateways,
      settings,
      new DevInboxService(plain, log),
      PATIENT,
      log,
    );
    return { send: () => configured.send(text), asked: () => [one.requests.length, two.requests.length], settings };
  }

  it('is used when the first one rejects', async () => {
    const { send, asked } = await sender(aliyunSays('isv.AMOUNT_NOT_ENOUGH'));
    expect(await send()).toMatchObject({ outcome: 'accepted', provider: 'http' });
    expect(asked()).toEqual([1, 1]);
  });

  it('is used when the first one is unreachable, which is skipped after five failures', async () => {
    const { send, asked } = await sender(undefined);
    for (let count = 1; count <= 7; count++) {
      expect(await send()).toMatchObject({ outcome: 'accepted', provider: 'http' });
    }
    expect(asked()).toEqual([0, 7]);
  });

  it('is not used once the first one is configured again, however often it failed before', async () => {
    const { send, asked, settings } = await sender(undefined);
    for (let count = 1; count <= 6; count++) await send();
    const one = await vendorOf(kinds['aliyun']!, kinds['aliyun']!.accepted);
    settings.values.set(kinds['aliyun']!.address, one.origin);
    expect(await send()).toMatchObject({ outcome: 'accepted', provider: 'aliyun' });
    expect([one.requests.length, asked()]).toEqual([1, [0, 6]]);
  });

  it.each([
    ['accepted', undefined, 'accepted'],
    ['throttles', 'isv.BUSINESS_LIMIT_CONTROL', 'throttled'],
    ['may have sent', 'isp.SYSTEM_ERROR', 'unknown'],
  ])('is not used when the first one %s', async (_, code, outcome) => {
    const { send, asked } = await sender(code === undefined ? kinds['aliyun']!.accepted : aliyunSays(code));
    expect(await send()).toMatchObject({ outcome, provider: 'aliyun' });
    expect(asked()).toEqual([1, 0]);
  });
});
