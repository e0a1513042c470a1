import SwaggerParser from '@apidevtools/swagger-parser';
import type { OpenAPIV3 } from 'openapi-types';
import { ExampleComposer, withExamples } from '../support/documents/openapi-examples';
import { Judge, Schema, schemaJudge } from '../support/documents/openapi-schemas';
import { TestService } from '../support/service/test-service';
import { version } from '../../package.json';
import { withService } from '../support/service/with-service';

interface Operation extends OpenAPIV3.OperationObject {
  readonly route: string;
  readonly parameters: OpenAPIV3.ParameterObject[];
  readonly responses: Record<string, OpenAPIV3.ResponseObject>;
}

const ID = /(^|_)(id|sid)$/;
/** Ids that are not UUIDs: of a permission, of a client in the protocol, of the target of an audit event. */
const NOT_UUID = new Set(['permission_id', 'client_id', 'target_id']);

/** Schemas that others extend by `allOf`. */
const OPEN = new Set(['ProblemDto', 'PasswordLoginDto', 'MfaChallengeDto', 'BindLoginTokenDto']);

const isSuccess = (status: string): boolean => /^[23]/.test(status);

describe('OpenAPI document', () => {
  let service: TestService;
  let document: OpenAPIV3.Document;
  let operations: Operation[];
  let judge: Judge;

  withService(async (started) => {
    service = started;
    document = (await service.client().get('/api/openapi.json')).body as unknown as OpenAPIV3.Document;
    judge = schemaJudge(document, OPEN);
    operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs as Record<string, OpenAPIV3.OperationObject>).map(
        ([verb, operation]) => ({ ...operation, route: `${verb.toUpperCase()} ${path}` }) as Operation,
      ),
    );
  });

  const composer = (): ExampleComposer => new ExampleComposer(document.components!.schemas!);

  /** Reasons why the example composed from the field examples violates the document's own schema. */
  function faultsOf(name: string, schema: Schema): string[] {
    const { value, gaps } = composer().compose(schema, name);
    const rejected = judge(schema, value);
    return [...gaps, ...(rejected === undefined ? [] : [`${name}: ${rejected}`])];
  }

  it('is valid OpenAPI 3.0', async () => {
    const copy = structuredClone(document);
    await expect(SwaggerParser.validate(copy)).resolves.toMatchObject({ openapi: '3.0.0' });
  });

  it('has nullable only beside a type, as OpenAPI 3.0.3 requires, and no null in examples', () => {
    const faults = objectsOf(document, '#')
      .filter(({ node }) => (node['nullable'] !== undefined && node['type'] === undefined) || node['example'] === null)
      .map(({ path }) => path);
    expect(faults).toEqual([]);
  });

  it('describes every response briefly', () => {
    const silent = operations.flatMap(({ route, responses }) =>
      Object.entries(responses)
        .filter(([status, { description }]) => isSuccess(status) && description.length < 8)
        .map(([status]) => `${route} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  it('lists the path values of message templates exactly as the service accepts them', () => {
    const template = document.components!.schemas!['MessageTemplateDto'] as OpenAPIV3.SchemaObject;
    const enumOf = (of: unknown): unknown => (of as OpenAPIV3.SchemaObject).enum;
    const found = operations.filter(({ route }) => route.includes('/message-template/{'));
    expect(found).toHaveLength(6);
    for (const { parameters } of found) {
      for (const name of ['channel', 'purpose', 'locale']) {
        const known = enumOf(template.properties![name]);
        expect(known).toEqual(expect.arrayContaining([expect.any(String)]));
        expect(enumOf(parameters.find((parameter) => parameter.name === name)!.schema)).toEqual(known);
      }
    }
  });

  it('marks responses without content', () => {
    const wrong = operations.flatMap(({ route, responses }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status.startsWith('2') && !content)
        .filter(([, { description }]) => !/no body/.test(description))
        .map(([status]) => `${route} ${status}`),
    );
    expect(wrong).toEqual([]);
  });

  it('describes every parameter', () => {
    const silent = operations.flatMap(({ route, parameters }) =>
      parameters.filter(({ description = '' }) => description.length < 3).map(({ name }) => `${route} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('gives every id parameter its format', () => {
    const formless = operations.flatMap(({ route, parameters }) =>
      parameters
        .filter(({ name }) => ID.test(name) && !NOT_UUID.has(name))
        .filter(({ schema }) => (schema as OpenAPIV3.SchemaObject).format !== 'uuid')
        .map(({ name }) => `${route} ${name}`),
    );
    expect(formless).toEqual([]);
  });

  it('describes every tag, and no unused tag', () => {
    const used = new Set(operations.flatMap(({ tags = [] }) => tags));
    expect(operations.filter(({ tags = [] }) => tags.length !== 1).map(({ route }) => route)).toEqual([]);
    expect((document.tags ?? []).map(({ name }) => name).sort()).toEqual([...used].sort());
    expect((document.tags ?? []).filter(({ description = '' }) => description.length < 8)).toEqual([]);
  });

  it('has title, version, server and licence', () => {
    const { title, description, license, contact } = document.info;
    expect(document.info.version).toBe(version);
    expect({ title, license }).toEqual({
      title: 'Castellan',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    });
    expect(description).toMatch(/RFC 9457/);
    expect(contact).toBeUndefined();
    expect(document.servers).toEqual([
      { url: '/', description: expect.stringMatching(/origin of the service/) as string },
    ]);
  });

  it('has one unique operationId per operation that is valid as a method name', () => {
    const ids = operations.map(({ operationId = '' }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[A-Z][A-Za-z]+Controller_[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('has only examples that match their schema', () => {
    const rejected = withExamples(document, '').flatMap(({ path, schema }) => {
      const fault = judge(schema, (schema as OpenAPIV3.SchemaObject).example);
      return fault === undefined ? [] : [`${path}: ${fault}`];
    });
    expect(rejected).toEqual([]);
  });

  it('has an example of every request', () => {
    const faults = operations.flatMap(({ route, requestBody }) =>
      Object.values((requestBody as OpenAPIV3.RequestBodyObject | undefined)?.content ?? {}).flatMap(
        ({ schema, examples }) =>
          examples
            ? wholeExamples(examples).map((value) => judge(schema!, value) && `${route}: ${judge(schema!, value)}`)
            : parts(schema!).flatMap((part) => faultsOf(nameOf(part), part)),
      ),
    );
    expect([...new Set(faults.filter((fault) => fault !== undefined))]).toEqual([]);
  });

  it('has an example of every response with a schema', () => {
    const faults = operations.flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content }]) => content?.['application/json']?.schema ?? [])
        .filter((schema) => !('additionalProperties' in schema))
        .flatMap((schema) => parts(schema).flatMap((part) => faultsOf(nameOf(part), part))),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it('has an example of every problem, which occurs in one of its responses', () => {
    const faults = operations.flatMap(({ route, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/problem+json']?.schema;
        if (!schema || '$ref' in schema) return [];
        const { status: shown } = composer().compose(schema, route).value as { status: number };
        return [...faultsOf(`${route} ${status}`, schema), ...(String(shown) === status ? [] : [`${route}: ${shown}`])];
      }),
    );
    expect(faults).toEqual([]);
  });
});

interface Found {
  readonly path: string;
  readonly node: Readonly<Record<string, unknown>>;
}

/** All objects of the document, at any depth. */
function objectsOf(node: unknown, path: string): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, child]) => objectsOf(child, `${path}/${key}`));
  return Array.isArray(node) ? below : [{ path, node: node as Found['node'] }, ...below];
}

describe('documentation routes', () => {
  it('are not found when DOCS_ENABLED is false', async () => {
    const service = await TestService.start({ environment: { DOCS_ENABLED: 'false' } });
    try {
      const client = service.client();
      const paths = ['/api/openapi.json', '/api/docs', '/api/docs/swagger-ui.css'];
      const answers = await Promise.all(paths.map((path) => client.get<{ code: string }>(path)));
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(paths.map(() => [404, 'not_found']));
    } finally {
      await service.stop();
    }
  });
});

const wholeExamples = (examples: NonNullable<OpenAPIV3.MediaTypeObject['examples']>): unknown[] =>
  Object.values(examples).map((each) => (each as OpenAPIV3.ExampleObject).value as unknown);

const nameOf = (schema: Schema): string => ('$ref' in schema ? schema.$ref.split('/').at(-1)! : '(inline)');

const parts = (schema: Schema): Schema[] => ('oneOf' in schema ? (schema.oneOf ?? []) : [schema]);
