import { DataSource, EntityManager } from 'typeorm';
import { Replicas } from './replicas';
import { Transactions } from './transactions';
import { fake } from '../../../test/support/service/fake';

const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('Replicas', () => {
  let news: string[];
  let isOpen: boolean;
  let failing: Error | undefined;
  let now: number;

  const managerOf = (name: string): EntityManager => ({ name }) as unknown as EntityManager;
  const primary = managerOf('primary');

  function source(name: string, opens = true): DataSource {
    const made = {
      isInitialized: false,
      manager: managerOf(name),
      initialize: async () => {
        if (!opens) throw lost;
        made.isInitialized = true;
      },
    };
    return made as unknown as DataSource;
  }

  async function replicas(...sources: DataSource[]): Promise<Replicas> {
    const transactions = fake<Transactions>({
      manager: primary,
      get isOpen() {
        return isOpen;
      },
    });
    const told = { onAway: () => news.push('away'), onBack: () => news.push('back') };
    const made = new Replicas(sources, transactions, told, () => now);
    await made.open();
    return made;
  }

  const read = (from: Replicas): Promise<unknown> =>
    from.read(async (manager) => {
      const { name } = manager as unknown as { name: string };
      if (name !== 'primary' && failing !== undefined) throw failing;
      return name;
    });

  beforeEach(() => {
    news = [];
    isOpen = false;
    failing = undefined;
    now = 0;
  });

  it('reads from the database without replicas', async () => {
    expect(await read(await replicas())).toBe('primary');
  });

  it('reads from replicas in turn', async () => {
    const both = await replicas(source('one'), source('two'));
    expect([await read(both), await read(both), await read(both)]).toEqual(['two', 'one', 'two']);
  });

  it('reads from the database in a transaction, which must see its own writes', async () => {
    isOpen = true;
    expect(await read(await replicas(source('one')))).toBe('primary');
  });

  it('pauses a failed replica, reports it once and uses it again', async () => {
    const one = await replicas(source('one'));
    failing = lost;
    expect(await Promise.all([read(one), read(one)])).toEqual(['primary', 'primary']);
    now += 5_000;
    expect(await read(one)).toBe('primary');
    failing = undefined;
    now += 4_999;
    expect(await read(one)).toBe('primary');
    now += 1;
    expect(await read(one)).toBe('one');
    expect(news).toEqual(['away', 'back']);
  });

  it.each(['53300', '28P01', '42P01', '57014'])(
    'pauses a replica after error %s while the database works',
    async (code) => {
      const one = await replicas(source('one'));
      failing = Object.assign(new Error('refused'), { code });
      expect([await read(one), await read(one)]).toEqual(['primary', 'primary']);
      expect(news).toEqual(['away']);
    },
  );

  it('does not pause a replica after a replay conflict', async () => {
    const one = await replicas(source('one'));
    failing = Object.assign(new Error('conflict with recovery'), { code: '40001' });
    expect(await read(one)).toBe('primary');
    failing = undefined;
    expect([await read(one), news]).toEqual(['one', []]);
  });

  it('opens a replica later that is unreachable at startup', async () => {
    const away = source('away', false);
    const both = await replicas(away, source('there'));
    expect([await read(both), await read(both)]).toEqual(['there', 'there']);
    Object.assign(away, {
      initialize: async () => {
        Object.assign(away, { isInitialized: true });
      },
    });
    now += 5_000;
    // The first read finds the replica closed and opens it in the background.
    await read(both);
    await read(both);
    expect([await read(both), await read(both)].sort()).toEqual(['away', 'there']);
    expect(news).toEqual(['away', 'back']);
  });

  it('throws the error of an invalid query', async () => {
    const wrong = Object.assign(new Error('no such column'), { code: '42703' });
    const one = await replicas(source('one'));
    await expect(one.read(() => Promise.reject(wrong))).rejects.toBe(wrong);
    expect(news).toEqual([]);
  });
});
