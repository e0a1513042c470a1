import { RecordingLog } from '../../../../test/support/service/recording-log';
import { OutboundError } from '../../../platform/outbound';
import { BackchannelLogoutSenderService } from './backchannel-logout-sender.service';
import { OidcEngineService } from '../engine/oidc-engine.service';
import { LogoutNotice } from '../storage/logout-notice.repository';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { fake } from '../../../../test/support/service/fake';

const NOTICE: LogoutNotice = { id: '1', clientId: 'app', userId: 'ann', sid: 'sid', allSessions: true, attempts: 0 };

describe('BackchannelLogoutSenderService', () => {
  const tried: string[] = [];
  let answer: () => Promise<void>;
  let isLoggedInAgain: boolean;
  let log: RecordingLog;
  let sender: BackchannelLogoutSenderService;

  beforeEach(() => {
    tried.length = 0;
    answer = () => Promise.resolve();
    isLoggedInAgain = false;
    log = new RecordingLog();
    const find = (clientId: string): Promise<unknown> =>
      Promise.resolve({
        ...(clientId === 'app' && { backchannelLogoutUri: 'https://app.example.com/?key=hidden' }),
        backchannelLogout: (userId: string | undefined, sid: string) => {
          tried.push(`${userId ?? '-'} ${sid}`);
          return answer();
        },
      });
    const engine = fake<OidcEngineService>({ current: () => Promise.resolve({ Client: { find } }) });
    const artifacts = fake<OidcModelRepository>({ hasBrowserSession: async () => isLoggedInAgain });
    sender = new BackchannelLogoutSenderService(engine, artifacts, log);
  });

  it('names the user when all sessions have ended', async () => {
    await expect(sender.send(NOTICE)).resolves.toMatchObject({ isDelivered: true });
    await sender.send({ ...NOTICE, allSessions: false });
    expect(tried).toEqual(['ann sid', '- sid']);
  });

  it('names only the session after the user has logged in again', async () => {
    isLoggedInAgain = true;
    await sender.send(NOTICE);
    expect(tried).toEqual(['- sid']);
  });

  it('sends nothing to an application without a logout URI', async () => {
    await expect(sender.send({ ...NOTICE, clientId: 'silent' })).resolves.toBe('unwanted');
    expect(tried).toEqual([]);
  });

  it.each<[string, Error, string]>([
    ['is unreachable', new OutboundError('timed_out'), 'timed_out'],
    [
      'returns an error',
      Object.assign(new Error('expected 200 OK from https://app.example.com/?key=hidden, got: 400'), {
        response: new Response(null, { status: 400 }),
      }),
      'status_400',
    ],
    ['fails to build its notice', new RangeError('x'), 'failed'],
  ])('says why, without a secret, if the application %s', async (_, error, reason) => {
    answer = () => Promise.reject(error);
    const sent = await sender.send(NOTICE);
    expect(sent).toEqual({ isDelivered: false, status: null, answer: null, error: reason });
  });

  it.each<[string, Error, string]>([
    ['too many calls are running', new OutboundError('busy'), 'busy'],
    ['the database is unavailable', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'failed'],
  ])('reports no attempt while %s', async (_, error, reason) => {
    answer = () => Promise.reject(error);
    await expect(sender.send(NOTICE)).resolves.toMatchObject({ isDelivered: null, error: reason });
  });
});
