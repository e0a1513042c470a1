import '../../src/identity/identity.module';
import { declaredActions } from '../../src/audit';
import { knownActs, meaningOf, writeKnownActs } from '../support/documents/recorded-acts';

describe('the acts of the golden file', () => {
  // `COLLECT_ACTS=FILE` makes end-to-end specs add what they record to a file, and `UPDATE_ACTS=FILE` takes it over.
  const collected = process.env['UPDATE_ACTS'];
  if (collected) beforeAll(() => writeKnownActs(collected));

  it('are the same events, with the same data and signals', async () => {
    for (const { act, events } of await knownActs()) {
      expect([act, JSON.parse(JSON.stringify(meaningOf(act)))]).toEqual([act, events]);
    }
  });

  it('are all that are declared', async () => {
    const known = new Set((await knownActs()).map(({ act }) => act.action));
    expect(declaredActions().filter((action) => !known.has(action))).toEqual([]);
  });
});
