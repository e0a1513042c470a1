import { Replicas } from '../../src/platform/database';
import { MessengerService } from '../../src/messaging';
import type { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface CursorPage {
  readonly items: { readonly id: string }[];
  readonly next_cursor: string | null;
}

describe('cursor pagination of an event list', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    const messenger = service.app.get(MessengerService, { strict: false });
    for (const target of ['one@example.com', 'two@example.com', 'three@example.com']) {
      await messenger.send({ channel: 'email', purpose: 'bind', target, language: 'en', values: { code: '123456' } });
    }
    for (const nickname of ['One', 'Two', 'Three']) await admin.patch('/api/auth/me', { nickname });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(['delivery', 'audit'])('skips no event when the next page comes from a slower replica: %s', async (list) => {
    const filter = list === 'audit' ? 'action=user.update' : 'purpose=bind';
    const read = async (cursor: string): Promise<CursorPage> =>
      (await admin.get<CursorPage>(`/api/${list}?${filter}&page_size=1&cursor=${cursor}`)).body;
    const first = await read('');
    // This replica has no rows yet.
    jest.spyOn(service.app.get(Replicas, { strict: false }), 'read').mockResolvedValue([]);
    const second = await read(first.next_cursor ?? '');
    const third = await read(second.next_cursor ?? '');
    expect(new Set([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(3);
    expect(third.next_cursor).toBeNull();
  });
});
