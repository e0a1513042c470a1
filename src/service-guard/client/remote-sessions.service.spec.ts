import { CastellanClientService } from './castellan-client.service';
import { GuardedRoutesService } from './guarded-routes.service';
import { RemoteSessionsService } from './remote-sessions.service';
import type { Credentials } from './request-credentials';
import { fake } from '../../../test/support/service/fake';

const sessionOf = (name: string): Credentials => ({ kind: 'cookie', tokens: [name] });

describe('RemoteSessionsService', () => {
  const answers: (() => void)[] = [];
  const call = jest.fn(
    () =>
      new Promise<object>((resolve) => {
        answers.push(() => {
          resolve({ active: false, subjects: ['s'] });
        });
      }),
  );
  const service = (): RemoteSessionsService =>
    new RemoteSessionsService(fake<CastellanClientService>({ call }), fake<GuardedRoutesService>({ permissions: [] }));
  const answerAll = (): void => {
    for (const answer of answers.splice(0)) answer();
  };

  beforeEach(() => {
    answers.length = 0;
    call.mockClear();
  });

  const load = async (sessions: RemoteSessionsService, name: string, organization: string): Promise<void> => {
    const loading = sessions.get(sessionOf(name), organization);
    answerAll();
    await loading;
    await Promise.resolve();
  };

  it('rejects a session that asks about many organizations at once, and no other', async () => {
    const sessions = service();
    const loading = ['a', 'b', 'c', 'd'].map((organization) => sessions.get(sessionOf('ann'), organization));
    expect(() => sessions.get(sessionOf('ann'), 'e')).toThrow(
      expect.objectContaining({ code: 'unavailable' }) as Error,
    );
    loading.push(sessions.get(sessionOf('ann'), 'd'), sessions.get(sessionOf('bob'), 'e'));
    expect(call).toHaveBeenCalledTimes(5);
    answerAll();
    await Promise.all(loading.map((each) => Promise.resolve(each)));
    await load(sessions, 'ann', 'e');
    expect(call).toHaveBeenCalledTimes(6);
  });

  it('keeps few organizations of a session, and the views of others', async () => {
    const sessions = service();
    await load(sessions, 'bob', 'home');
    for (let number = 0; number < 40; number++) await load(sessions, 'ann', `o${number}`);
    expect(call).toHaveBeenCalledTimes(41);
    await load(sessions, 'bob', 'home');
    await load(sessions, 'ann', 'o39');
    expect(call).toHaveBeenCalledTimes(41);
    await load(sessions, 'ann', 'o0');
    expect(call).toHaveBeenCalledTimes(42);
  });

  it('drops the views of all organizations of a session', async () => {
    const sessions = service();
    for (const organization of ['a', 'b']) await load(sessions, 'ann', organization);
    sessions.drop(['s']);
    await load(sessions, 'ann', 'b');
    expect(call).toHaveBeenCalledTimes(3);
  });
});
