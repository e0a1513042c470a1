import 'reflect-metadata';
import { Injectable, Module, Scope, Type } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IdentityModule, OnIdentityEvent, SettingsApi, UsersApi } from '../../src';
import type { IdentityEvent } from '../../src';
import { RecordingLog } from '../../src/testing';
import { eventually } from '../support/service/eventually';
import { identityOptions, startModule } from '../support/hosts/host-app';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

@Injectable()
class Orders {
  readonly deleted: IdentityEvent<'user.deleted'>[] = [];
  readonly received: string[] = [];
  readonly tried: string[] = [];

  @OnIdentityEvent('user.deleted', { name: 'orders' })
  removeOrders(event: IdentityEvent<'user.deleted'>): void {
    this.deleted.push(event);
  }

  @OnIdentityEvent(['user.*', 'setting.changed'])
  async receive({ type, data }: IdentityEvent<'user.*' | 'setting.changed'>): Promise<void> {
    this.received.push(type === 'user.updated' ? `${type} ${data.fields.join()}` : type);
  }

  @OnIdentityEvent('user.created')
  fail({ id }: IdentityEvent<'user.created'>): void {
    this.tried.push(id);
    if (this.tried.length === 1) throw new Error('the shop trips');
  }
}

async function start(
  database: TestDatabase,
  providers: Type[],
  log = new RecordingLog(),
): Promise<NestFastifyApplication> {
  @Module({ imports: [IdentityModule.forRoot({ ...identityOptions(database), log })], providers })
  class HostModule {}
  return startModule(HostModule);
}

describe('events for the code of a host', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('reach handlers after the commit, in order, and again after a failure', async () => {
    const log = new RecordingLog();
    const app = await start(database, [Orders], log);
    const orders = app.get(Orders);
    const users = app.get(UsersApi);
    const { id } = await users.create({ username: 'ann' });
    await users.update(id, { nickname: 'Ann' });
    await app.get(SettingsApi).set('register.enabled', false);
    await users.delete(id);

    await eventually(
      async () => [orders.deleted.length, orders.tried.length, orders.received.length],
      ([deleted, tried, received]) => deleted === 1 && tried === 3 && received === 5,
    );
    const subject = { type: 'user', id, name: 'ann' };
    expect(orders.deleted).toMatchObject([
      { type: 'user.deleted', subject, actor: { type: 'application' }, data: { version: 1 }, request_id: null },
    ]);
    // The first user is the administrator of the first start.
    expect(orders.received).toEqual([
      'user.created',
      'user.created',
      'user.updated nickname',
      'setting.changed',
      'user.deleted',
    ]);
    expect(orders.tried[1]).toBe(orders.tried[0]);
    expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { fields: { handler: 'Orders.fail', event_type: 'user.created' } },
    ]);
    await app.close();
  });

  it('that happened while the application was stopped reach it at the next start, once', async () => {
    const without = await start(database, []);
    const { id } = await without.get(UsersApi).create({ username: 'bob' });
    await without.get(UsersApi).delete(id);
    await without.close();

    for (const expected of [[id], []]) {
      const app = await start(database, [Orders]);
      const { received, deleted } = app.get(Orders);
      const marker = await app.get(UsersApi).create({ username: 'marker' });
      await app.get(UsersApi).update(marker.id, { nickname: 'Marker' });
      await eventually(
        async () => received,
        (types) => types.includes('user.updated nickname'),
      );
      await app.get(UsersApi).delete(marker.id);
      await eventually(
        async () => deleted,
        (events) => events.some(({ subject }) => subject?.id === marker.id),
      );
      expect(deleted.map(({ subject }) => subject?.id)).toEqual([...expected, marker.id]);
      await app.close();
    }
  });

  it('end the start for two handlers of one name, and for a handler that cannot run', async () => {
    class Double {
      @OnIdentityEvent('role.*', { name: 'orders' })
      receive(): void {}
    }
    await expect(start(database, [Orders, Double])).rejects.toThrow('Two methods handle events as "orders"');

    @Injectable({ scope: Scope.REQUEST })
    class Short {
      @OnIdentityEvent('user.locked')
      receive(): void {}
    }
    await expect(start(database, [Short])).rejects.toThrow('@OnIdentityEvent() on Short.receive never runs');
  });
});
