import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { defineSetting, IdentityModule, installHttp, integer, text } from '../../src';
import { createHost, identityOptions } from '../support/hosts/host-app';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

describe('invalid setting definitions', () => {
  it.each([
    ['a key without a category', 'letters', 5],
    ['a key in capitals', 'Notes.most', 5],
    ['a key of four parts', 'notes.most.of.letters', 5],
    ['a defaultValue below its bounds', 'notes.too_low', 0],
    ['a defaultValue above its bounds', 'notes.too_high', 11],
  ])('throw: %s', (_what, key, defaultValue) => {
    expect(() =>
      defineSetting({ key, defaultValue, kind: integer({ minimum: 1, maximum: 10 }), sensitive: false }),
    ).toThrow(`"${key}"`);
  });

  it('throw: a defaultValue for development that its kind rejects', () => {
    const kind = text(3);
    expect(() =>
      defineSetting({
        key: 'notes.word',
        defaultValue: 'abc',
        defaultOutsideProduction: 'abcd',
        kind,
        sensitive: false,
      }),
    ).toThrow('"notes.word"');
  });
});

describe('module registration', () => {
  it('rejects IdentityModule without forRoot', async () => {
    @Module({ imports: [IdentityModule] })
    class HostModule {}

    await expect(createHost(HostModule)).rejects.toThrow(
      /^Import IdentityModule\.forRoot\(\) or IdentityModule\.forRootAsync\(\), not IdentityModule alone$/,
    );
  });

  it('rejects installHttp without IdentityModule', async () => {
    @Module({})
    class HostModule {}

    const app = await createHost(HostModule);
    expect(() => {
      installHttp(app);
    }).toThrow(/^Import IdentityModule\.forRoot\(\) before installHttp\(app\)$/);
    await app.close();
  });

  it('rejects a second installHttp', async () => {
    @Module({ imports: [IdentityModule.forRoot(identityOptions(database))] })
    class HostModule {}

    const app = await createHost(HostModule);
    installHttp(app);
    expect(() => {
      installHttp(app);
    }).toThrow(/^installHttp\(app\) is called twice: call it once$/);
    await app.close();
  });
});
