import type { Environment } from '../../src/platform/config';
import {
  AliyunGateway,
  ConfiguredMailerService,
  ConfiguredSmsSenderService,
  DevInboxService,
  HttpHookGateway,
  SmsGatewayRegistry,
  TencentGateway,
  TwilioGateway,
} from '../../src/messaging/delivery';
import { mailerContract, smsSenderContract } from '../../src/testing';
import { eventually } from '../support/service/eventually';
import { RecordingLog } from '../support/service/recording-log';
import { GivenSettings } from '../support/servers/sms-kinds';
import { answer, Vendor } from '../support/servers/sms-vendors';
import { SmtpSink } from '../support/servers/smtp-sink';

// The first mail also loads the library, possibly on a busy machine.
const limits = { connectMs: 2_000, totalMs: 3_000 };
const log = new RecordingLog();
const production = { isProduction: true } as Environment;
const development = { isProduction: false } as Environment;

const mailerCases = mailerContract(async () => {
  const sink = await SmtpSink.start({ hideSTARTTLS: true });
  const settings = new GivenSettings();
  settings.values.set('email.smtp.host', '127.0.0.1').set('email.smtp.port', sink.port);
  settings.values.set('email.from', 'no-reply@id.example');
  const sender = new ConfiguredMailerService(settings, new DevInboxService(production, log), limits);
  return {
    sender,
    handedOver: () => sink.contents,
    fallSilent: () => {
      sink.answer = () => undefined;
    },
    goAway: () => sink.stop(),
    close: async () => {
      sender.onApplicationShutdown();
      await sink.stop();
    },
  };
});

const smsCases = smsSenderContract(async () => {
  let isSilent = false;
  const vendor = await Vendor.start(() => (isSilent ? () => undefined : answer(200, {})));
  const settings = new GivenSettings();
  settings.values.set('sms.provider', 'http').set('sms.http.url', `${vendor.origin}/send`);
  const gateways = new SmsGatewayRegistry(
    new AliyunGateway(settings, development),
    new TencentGateway(settings, development),
    new TwilioGateway(settings, development),
    new HttpHookGateway(settings, development),
  );
  return {
    sender: new ConfiguredSmsSenderService(gateways, settings, new DevInboxService(development, log), limits, log),
    handedOver: () => vendor.requests.length,
    fallSilent: () => {
      isSilent = true;
    },
    goAway: () => vendor.stop(),
    close: () => vendor.stop(),
  };
});

describe('ConfiguredMailer fulfils the contract of Mailer:', () => {
  for (const { name, run } of mailerCases) it(name, run);
});

describe('ConfiguredSmsSender fulfils the contract of SmsSender:', () => {
  for (const { name, run } of smsCases) it(name, run);
});

describe('mailer after shutdown', () => {
  it('closes its connections and still sends mail of pending work', async () => {
    let closed = 0;
    const onClose = (): void => {
      closed++;
    };
    const sink = await SmtpSink.start({ hideSTARTTLS: true, onClose });
    const settings = new GivenSettings();
    settings.values.set('email.smtp.host', '127.0.0.1').set('email.smtp.port', sink.port);
    settings.values.set('email.from', 'no-reply@id.example');
    const mailer = new ConfiguredMailerService(settings, new DevInboxService(production, log), limits);
    const mail = { to: 'ann@example.com', subject: 'Code', text: 'x', language: 'en' } as const;
    try {
      expect((await mailer.send({ ...mail, id: 'id-1' })).outcome).toBe('accepted');
      mailer.onApplicationShutdown();
      expect((await mailer.send({ ...mail, id: 'id-2' })).outcome).toBe('accepted');
      await eventually(
        async () => sink.connections - closed,
        (open) => open === 0,
      );
      expect(sink.mails).toHaveLength(2);
    } finally {
      await sink.stop();
    }
  });
});

describe('production without a provider', () => {
  const settings = new GivenSettings();
  const inbox = new DevInboxService(production, log);

  it('neither offers, sends, shows nor prints mail', async () => {
    const mailer = new ConfiguredMailerService(settings, inbox, limits);
    expect(await mailer.isOffered()).toBe(false);
    const mail = { id: 'id-1', to: 'ann@example.com', subject: 'Code', text: '591827', language: 'en' } as const;
    expect(await mailer.send(mail)).toEqual({ outcome: 'rejected', provider: 'none', providerCode: 'not_set_up' });
    expect(inbox.messages()).toEqual([]);
    expect(JSON.stringify(log.lines)).not.toContain('591827');
  });

  it('rejects every message to the inbox', () => {
    expect(() => inbox.deliver({ id: 'id-1', channel: 'sms', to: '+8613800138000', text: '591827' })).toThrow(
      'production',
    );
  });
});
