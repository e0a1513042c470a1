import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { defineAttribute, IdentityModule, IdentityOptions, PermissionsApi, SettingsApi, UsersApi } from '../../src';
import type { DeclaredAttribute, DeclaredPermission, DeclaredRole } from '../../src';
import type { DeclaredItem } from '../../src/host-api/declarations/declared-item';
import { DeclaredAttributesService } from '../../src/host-api/declarations/declared-attributes.service';
import { DeclaredPermissionsService } from '../../src/host-api/declarations/declared-permissions.service';
import { DeclaredRolesService } from '../../src/host-api/declarations/declared-roles.service';
import { DeclaredSettingsService } from '../../src/host-api/declarations/declared-settings.service';
import { AttributesService } from '../../src/users/attributes';
import { RecordingLog } from '../../src/testing';
import { identityOptions, startModule } from '../support/hosts/host-app';
import { TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN } from '../support/service/test-service';

type Declared = Pick<IdentityOptions, 'permissions' | 'roles' | 'attributes' | 'settings'>;

const clerk = { name: 'clerk', scope: 'shop', permissions: ['shop:order:read'] };

describe('declarations of a host', () => {
  let database: TestDatabase;
  let log: RecordingLog;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => {
    log = new RecordingLog();
  });
  afterAll(() => database.drop());

  async function during<T>(declared: Declared, work: (app: NestFastifyApplication) => Promise<T>): Promise<T> {
    @Module({ imports: [IdentityModule.forRoot({ ...identityOptions(database), log, ...declared })] })
    class HostModule {}
    const app = await startModule(HostModule);
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  }

  const audited = () =>
    database.query(
      `SELECT action, target_id, target_label FROM audit_event WHERE actor_name = 'host application'
         AND action ~ '^(permission|role|setting)\\.' ORDER BY id`,
    );

  it('are applied at the first start, by the application, and not again', async () => {
    const declared = {
      permissions: [{ permission: 'shop:order:publish', description: 'Publish', level: 3 as const }],
      roles: [clerk],
      settings: { 'register.enabled': false },
    };
    const hold = async (app: NestFastifyApplication): Promise<unknown[]> => {
      const permissions = app.get(PermissionsApi);
      const { id } = (await app.get(UsersApi).find(ADMIN.username))!;
      const given = await permissions.giveRole(id, 'shop:clerk');
      await permissions.takeRole(id, 'shop:clerk');
      const entry = (await permissions.catalogue()).find(({ scope }) => scope === 'shop');
      const info = await new TestClient(app).get<{ registration: { enabled: boolean } }>('/api/info');
      return [given.map(({ role }) => role.name), entry, info.body.registration.enabled];
    };
    const entry = { permissionId: 'order:publish', description: 'Publish', requiredLevel: 3 };
    expect(await during(declared, hold)).toMatchObject([expect.arrayContaining(['clerk']), entry, false]);
    const first = await audited();
    expect(first).toEqual([
      { action: 'permission.create', target_id: 'shop:order:publish', target_label: null },
      { action: 'role.create', target_id: expect.any(String) as string, target_label: 'clerk' },
      { action: 'setting.update', target_id: 'register.enabled', target_label: null },
    ]);
    expect(await during(declared, hold)).toMatchObject([expect.arrayContaining(['clerk']), entry, false]);
    expect(await audited()).toEqual(first);
  });

  it('follow the code until an operator changes them', async () => {
    const wider = {
      ...clerk,
      permissions: [...clerk.permissions, { permission: 'shop:order:update', level: 3 as const }],
    };
    const leftAlone = () => log.lines.filter(({ message }) => message.includes('declared')).map(({ fields }) => fields);
    const grants = async (app: NestFastifyApplication) => {
      const admin = new TestClient(app);
      await admin.post('/api/auth/login', { type: 'password', ...ADMIN });
      const { body } = await admin.get<{
        items: { id: string; name: string; permissions: { permission_id: string }[] }[];
      }>('/api/role?scope=shop');
      const role = body.items.find(({ name }) => name === 'clerk');
      return { admin, id: role?.id, permissions: role?.permissions.map((grant) => grant.permission_id) };
    };

    await during({ roles: [wider], settings: { 'register.enabled': false } }, async (app) => {
      const { admin, id, permissions } = await grants(app);
      expect(permissions).toEqual(['order:read', 'order:update']);
      await admin.patch(`/api/role/${id}`, { permissions: [] });
      await app.get(SettingsApi).set('register.enabled', true);
    });
    await during({ roles: [wider], settings: { 'register.enabled': false } }, async (app) => {
      expect((await grants(app)).permissions).toEqual([]);
      expect(leftAlone()).toEqual([]);
    });
    await during({ roles: [clerk], settings: { 'register.enabled': false } }, async (app) => {
      expect((await grants(app)).permissions).toEqual([]);
      expect(leftAlone()).toEqual([{ name: 'shop:clerk' }]);
    });
  });

  it('require level 7 again when the code no longer names a lower one', async () => {
    const levels = async (app: NestFastifyApplication): Promise<unknown[]> =>
      (await app.get(PermissionsApi).catalogue())
        .filter(({ scope }) => scope === 'depot')
        .map(({ permissionId, requiredLevel }) => [permissionId, requiredLevel]);
    const read = { permission: 'depot:parcel:read' };
    const send = { permission: 'depot:parcel:send', description: 'Send parcels' };
    const now = (permissions: DeclaredPermission[]) => during({ permissions }, levels);
    expect(await now([read, { ...send, level: 2 }])).toEqual([
      ['parcel:read', 1],
      ['parcel:send', 2],
    ]);
    expect(await now([read, send])).toEqual([
      ['parcel:read', 1],
      ['parcel:send', 7],
    ]);
    expect(await now([read, { ...send, level: 4 }])).toContainEqual(['parcel:send', 4]);
    // As former code noted it.
    await database.query(
      `UPDATE host_declaration SET content = jsonb_set(content, '{level}', 'null') WHERE name = 'depot:parcel:send'`,
    );
    expect(await now([read, send])).toContainEqual(['parcel:send', 7]);
  });

  it('define attributes, which code then gives users', async () => {
    const badge = defineAttribute({
      name: 'badge',
      type: 'text',
      label: { en: 'Badge', zh: '工牌' },
      pattern: '[A-Z][0-9]+',
      unique: true,
      searchable: true,
    });
    const attributesOf = (app: NestFastifyApplication): AttributesService =>
      app.get(AttributesService, { strict: false });
    await during({ attributes: [badge] }, async (app) => {
      const users = app.get(UsersApi);
      const values = { username: 'badged', attributes: { [badge.name]: 'A1' } };
      expect(await users.create(values)).toMatchObject({ attributes: { badge: 'A1' } });
      await expect(users.create({ ...values, username: 'other' })).rejects.toMatchObject({ code: 'attribute_taken' });
      expect((await users.list({ attribute: 'badge:a1' })).items.map(({ username }) => username)).toEqual(['badged']);
      expect(await attributesOf(app).find('badge')).toMatchObject({ owner: 'none', rules: { pattern: badge.pattern } });
    });
    const { pattern: _, ...free } = badge;
    await during({ attributes: [{ ...free, owner: 'read' }] }, async (app) => {
      const found = await attributesOf(app).find('badge');
      expect([found.owner, found.rules]).toEqual(['read', {}]);
      await attributesOf(app).change('badge', { owner: 'none' });
    });
    await during({ attributes: [badge] }, async (app) => {
      expect(await attributesOf(app).find('badge')).toMatchObject({ owner: 'none', rules: {} });
    });
  });

  it('end the start with a sentence', async () => {
    await expect(during({ roles: [clerk, clerk] }, async () => undefined)).rejects.toThrow(
      'The role shop:clerk is declared twice',
    );
  });

  it('are rejected when they are not valid', async () => {
    await during({}, async (app) => {
      const permission = (text: string) =>
        app.get(DeclaredPermissionsService, { strict: false }).item({ permission: text });
      const role = (declared: DeclaredRole) => app.get(DeclaredRolesService, { strict: false }).item(declared);
      const attribute = (more: object) => {
        const declared: DeclaredAttribute = { name: 'x', type: 'text', label: { en: 'X', zh: 'X' }, ...more };
        return app.get(DeclaredAttributesService, { strict: false }).item(declared);
      };
      const setting = async (key: string, value: unknown) =>
        app.get(DeclaredSettingsService, { strict: false }).item(key, value);
      const cases: [() => Promise<DeclaredItem>, string][] = [
        [() => permission('order:read'), 'permission "order:read" is not scope:resource:action'],
        [() => permission('iam:order:read'), 'use definePermissions'],
        [() => permission('shop:order:*'), 'permission "shop:order:*" is rejected: permissions[0].permission_id'],
        [() => role({ name: 'admin' }), 'role "admin" is a system role'],
        [() => role({ name: 'user', scope: 'shop' }), 'role "user" is rejected: name_taken'],
        [() => role({ name: 'a clerk' }), 'role "a clerk" is rejected: name (role_name)'],
        [() => role({ name: 'ab', permissions: ['x'] }), 'permissions[0].permission_id (permission)'],
        [() => attribute({ name: 'employeeNo' }), 'attribute "employeeNo" is rejected: name (attribute_code)'],
        [() => attribute({ name: 'email' }), 'attribute "email" is rejected: name (attribute_reserved)'],
        [() => attribute({ required: 'login' }), 'attribute "x" is rejected: required (attribute_owner_writes)'],
        [() => attribute({ label: { en: 'X' } }), 'attribute "x" is rejected: label.zh (required)'],
        [() => setting('shop.open', true), 'setting "shop.open" does not exist'],
        [() => setting('register.enabled', 'yes'), 'setting "register.enabled" is rejected'],
      ];
      for (const [item, message] of cases) {
        const apply = async () => {
          const made = await item();
          await made.read();
          await made.write();
        };
        await expect(apply()).rejects.toThrow(message);
      }
    });
  });
});
