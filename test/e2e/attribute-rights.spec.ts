import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { OpenAPIV3 } from 'openapi-types';
import { attributesSchema, AttributeValues } from '../../src/users/attributes';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { offerLink } from '../support/oauth/offered-link';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { FakeProvider, FakeProviders } from '../support/oauth/fake-providers';
import { startWithProviders } from '../support/oauth/service-with-providers';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { storedUser } from '../support/accounts/accounts';

/** Each attribute, and who may write it. */
const ATTRIBUTES = {
  hidden: { owner: 'none', by: ['administrator'] },
  shown: { owner: 'read', by: ['administrator'] },
  own: { owner: 'write', by: ['administrator', 'owner'] },
  synced: { owner: 'none', source: 'directory', by: [] },
  synced_shown: { owner: 'read', source: 'directory', by: [] },
} as const;
type Name = keyof typeof ATTRIBUTES;
const NAMES = Object.keys(ATTRIBUTES) as Name[];
const BEFORE = Object.fromEntries(NAMES.map((name) => [name, 'before']));

type Writer = 'owner' | 'administrator' | 'nobody';
interface Attempt {
  readonly answer: Answer<Problem>;
  /** The user who would have the values. */
  readonly username: string;
  readonly before: AttributeValues;
}

let service: TestService;
let providers: FakeProviders;
let provider: FakeProvider;
let admin: TestClient;
let organization: OrganizationAnswer;
/** Administers users, members and roles, in the organization only. */
let boss: UserWithGrants;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
  provider = providers.add();
  admin = await service.admin();
  organization = await createOrganization(admin, 'acme');
  boss = await anyUserWith(service, admin);
  const everything = { scope: '*', permission_id: '*:*', level: 7 };
  await addMember(admin, organization, boss, await createRole(admin, 'boss', everything));
  for (const name of NAMES) {
    const { by: _, ...rights } = ATTRIBUTES[name];
    await admin.post('/api/attribute', { name, type: 'text', label: { en: name, zh: name }, ...rights });
  }
});

afterAll(() => service.stop());

const freshName = (): string => `rights_${++made}`;

/** A member of the organization with values for all attributes, also those of directories. */
async function member(): Promise<UserWithGrants> {
  const holder = await anyUserWith(service, admin);
  await addMember(admin, organization, holder);
  await service.query('UPDATE user_account SET attributes = $2::jsonb WHERE id = $1', [
    holder.id,
    JSON.stringify(BEFORE),
  ]);
  return holder;
}

type Values = Partial<Record<Name, string>>;

/** Every route that takes attributes of a user, with each kind of caller. */
const WAYS: readonly (readonly [string, Writer, (attributes: Values) => Promise<Attempt>])[] = [
  [
    'POST /api/auth/register',
    'owner',
    async (attributes) => {
      const username = freshName();
      const answer = await service
        .client()
        .post<Problem>('/api/auth/register', { username, password: PASSWORD, attributes });
      return { answer, username, before: {} };
    },
  ],
  [
    'POST /api/oauth/bind/register',
    'owner',
    async (attributes) => {
      const username = freshName();
      const { client } = await offerLink(service, provider, username, {});
      return {
        answer: await client.post<Problem>('/api/oauth/bind/register', { username, attributes }),
        username,
        before: {},
      };
    },
  ],
  [
    'PATCH /api/auth/me',
    'owner',
    async (attributes) => {
      const { client, username } = await member();
      return { answer: await client.patch<Problem>('/api/auth/me', { attributes }), username, before: BEFORE };
    },
  ],
  [
    'POST /api/user',
    'administrator',
    async (attributes) => {
      const username = freshName();
      return { answer: await admin.post<Problem>('/api/user', { username, attributes }), username, before: {} };
    },
  ],
  [
    'PATCH /api/user/{id}',
    'administrator',
    async (attributes) => {
      const { id, username } = await member();
      return { answer: await admin.patch<Problem>(`/api/user/${id}`, { attributes }), username, before: BEFORE };
    },
  ],
  [
    'POST /api/user',
    'nobody',
    async (attributes) => {
      const username = freshName();
      const answer = await boss.client.post<Problem>('/api/user', { username, attributes }, within(organization));
      return { answer, username, before: {} };
    },
  ],
  [
    'PATCH /api/user/{id}',
    'nobody',
    async (attributes) => {
      const { id, username } = await member();
      const answer = await boss.client.patch<Problem>(`/api/user/${id}`, { attributes }, within(organization));
      return { answer, username, before: BEFORE };
    },
  ],
  [
    'POST /api/user/import',
    'nobody',
    async (attributes) => {
      const username = freshName();
      const names = Object.keys(attributes);
      const head = ['username', ...names.map((name) => `attributes.${name}`)].join();
      const csv = `${head}\n${[username, ...names.map(() => 'imported')].join()}`;
      return {
        answer: await boss.client.post<Problem>('/api/user/import', { csv }, within(organization)),
        username,
        before: {},
      };
    },
  ],
];

const mayWrite = (writer: Writer, name: Name): boolean => ATTRIBUTES[name].by.some((allowed) => allowed === writer);

/** The routes whose body has values of attributes. */
function routesOfSchema(): string[] {
  const text = JSON.stringify(attributesSchema.example);
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIV3.Document;
  const schemas = document.components?.schemas ?? {};
  const takes = new Set(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const { properties = {} } = schema as OpenAPIV3.SchemaObject;
      const attributes = properties['attributes'] as OpenAPIV3.SchemaObject | undefined;
      return attributes && JSON.stringify(attributes.example) === text ? [`#/components/schemas/${name}`] : [];
    }),
  );
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations ?? {}).flatMap(([method, operation]) => {
      const body = (operation as OpenAPIV3.OperationObject).requestBody as OpenAPIV3.RequestBodyObject | undefined;
      const contents = Object.values(body?.content ?? {});
      const isTaken = contents.some(({ schema }) => schema && '$ref' in schema && takes.has(schema.$ref));
      return isTaken ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );
}

describe('values of attributes', () => {
  it('are written by the routes of this table only', () => {
    const ways = new Set(WAYS.map(([route]) => route));
    ways.delete('POST /api/user/import');
    expect([...ways].sort()).toEqual(routesOfSchema().sort());
  });

  it('are written by none who may not, whatever is sent with what', async () => {
    const values = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('x', 'y', ''), { minKeys: 1, maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...WAYS), values, async ([, writer, write], given) => {
        const { answer, username, before } = await write(given);
        const mayAll = (Object.keys(given) as Name[]).every((name) => mayWrite(writer, name));
        const stored = ((await storedUser(service, username))?.['attributes'] ?? {}) as AttributeValues;
        if (!mayAll) {
          expect([400, 403]).toContain(answer.status);
          expect(stored).toEqual(Object.keys(stored).length === 0 ? {} : before);
          return;
        }
        expect([200, 201]).toContain(answer.status);
        const after = Object.entries({ ...before, ...given }).filter(([, value]) => value !== '');
        expect(stored).toEqual(Object.fromEntries(after));
      }),
      { numRuns: 40 },
    );
  });
});

describe('GET /api/user/attribute', () => {
  it('shows the definitions to those who administer users, also without attribute:read', async () => {
    const { client } = await anyUserWith(service, admin, 'user:admin');
    const { body } = await admin.get<{ items: object[] }>('/api/attribute');
    expect(body.items).toHaveLength(NAMES.length);
    expect(await client.get('/api/user/attribute')).toMatchObject({ status: 200, body });
    expectProblem(await client.get('/api/attribute'), 403, 'permission_denied');
  });

  it('shows them to nobody else', async () => {
    const { client } = await anyUserWith(service, admin, 'attribute:read');
    expectProblem(await client.get('/api/user/attribute'), 403, 'permission_denied');
    expectProblem(await boss.client.get('/api/user/attribute', within(organization)), 403, 'permission_denied');
  });
});
