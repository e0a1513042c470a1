import SwaggerParser from '@apidevtools/swagger-parser';
import type { OpenAPIV3 } from 'openapi-types';
import { ExampleComposer, withExamples } from '../support/openapi-examples';
import { Judge, Schema, schemaJudge } from '../support/openapi-schemas';
import { TestService } from '../support/test-service';
import { version } from '../../package.json';

interface Operation extends OpenAPIV3.OperationObject {
  readonly route: string;
  readonly parameters: OpenAPIV3.ParameterObject[];
  readonly responses: Record<string, OpenAPIV3.ResponseObject>;
}

const ID = /(^|_)(id|sid)$/;
/** Ids that are not ours to choose the form of: of a permission, of a client in the protocol, of what an audit is about. */
const NOT_UUID = new Set(['permission_id', 'client_id', 'target_id']);

/** What others complete in an `allOf`. */
const OPEN = new Set(['ProblemDto', 'PasswordLoginDto', 'MfaChallengeDto', 'BindLoginTokenDto']);

const isSuccess = (status: string): boolean => /^[23]/.test(status);

describe('the OpenAPI document, as developers of front ends read it', () => {
  let service: TestService;
  let document: OpenAPIV3.Document;
  let operations: Operation[];
  let judge: Judge;

  beforeAll(async () => {
    service = await TestService.start();
    document = (await service.client().get('/api/openapi.json')).body as unknown as OpenAPIV3.Document;
    judge = schemaJudge(document, OPEN);
    operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs as Record<string, OpenAPIV3.OperationObject>).map(
        ([verb, operation]) => ({ ...operation, route: `${verb.toUpperCase()} ${path}` }) as Operation,
      ),
    );
  });

  afterAll(() => service.stop());

  const composer = (): ExampleComposer => new ExampleComposer(document.components!.schemas!);

  /** What an example that is composed of the fields' lacks, or why the document's own schema refuses it. */
  function faultsOf(name: string, schema: Schema): string[] {
    const { value, gaps } = composer().compose(schema, name);
    const refused = judge(schema, value);
    return [...gaps, ...(refused === undefined ? [] : [`${name}: ${refused}`])];
  }

  it('is a valid OpenAPI 3.0 document', async () => {
    const copy = structuredClone(document);
    await expect(SwaggerParser.validate(copy)).resolves.toMatchObject({ openapi: '3.0.0' });
  });

  it('allows null only beside a type, as OpenAPI 3.0.3 has it, and shows it in no example', () => {
    const faults = objectsOf(document, '#')
      .filter(({ node }) => (node['nullable'] !== undefined && node['type'] === undefined) || node['example'] === null)
      .map(({ path }) => path);
    expect(faults).toEqual([]);
  });

  it('says of every answer in a few words what comes', () => {
    const silent = operations.flatMap(({ route, responses }) =>
      Object.entries(responses)
        .filter(([status, { description }]) => isSuccess(status) && description.length < 8)
        .map(([status]) => `${route} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  it('names what may stand in the address of a message template, as the template itself does', () => {
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

  it('says so where nothing is answered', () => {
    const wrong = operations.flatMap(({ route, responses }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status.startsWith('2') && !content)
        .filter(([, { description }]) => !/nothing is answered|no body/.test(description))
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

  it('gives every parameter that is an id its format', () => {
    const formless = operations.flatMap(({ route, parameters }) =>
      parameters
        .filter(({ name }) => ID.test(name) && !NOT_UUID.has(name))
        .filter(({ schema }) => (schema as OpenAPIV3.SchemaObject).format !== 'uuid')
        .map(({ name }) => `${route} ${name}`),
    );
    expect(formless).toEqual([]);
  });

  it('describes every tag, and none that no operation has', () => {
    const used = new Set(operations.flatMap(({ tags = [] }) => tags));
    expect(operations.filter(({ tags = [] }) => tags.length !== 1).map(({ route }) => route)).toEqual([]);
    expect((document.tags ?? []).map(({ name }) => name).sort()).toEqual([...used].sort());
    expect((document.tags ?? []).filter(({ description = '' }) => description.length < 8)).toEqual([]);
  });

  it('says what it describes, which version of it, where it is found and under which licence', () => {
    const { title, description, license, contact } = document.info;
    expect(document.info.version).toBe(version);
    expect({ title, license }).toEqual({
      title: 'Castellan',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    });
    expect(description).toMatch(/RFC 9457/);
    expect(contact).toBeUndefined();
    expect(document.servers).toEqual([{ url: '/', description: expect.stringMatching(/own origin/) as string }]);
  });

  it('names every operation once, as a method of a client can be named', () => {
    const ids = operations.map(({ operationId = '' }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[A-Z][A-Za-z]+Controller_[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('has only examples that its own schemas take', () => {
    const refused = withExamples(document, '').flatMap(({ path, schema }) => {
      const fault = judge(schema, (schema as OpenAPIV3.SchemaObject).example);
      return fault === undefined ? [] : [`${path}: ${fault}`];
    });
    expect(refused).toEqual([]);
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

  it('has an example of every answer that is described field by field', () => {
    const faults = operations.flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content }]) => content?.['application/json']?.schema ?? [])
        .filter((schema) => !('additionalProperties' in schema))
        .flatMap((schema) => parts(schema).flatMap((part) => faultsOf(nameOf(part), part))),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it('has an example of every problem, which is one of its answer', () => {
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

/** Every object of the document, however deep. */
function objectsOf(node: unknown, path: string): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, child]) => objectsOf(child, `${path}/${key}`));
  return Array.isArray(node) ? below : [{ path, node: node as Found['node'] }, ...below];
}

const wholeExamples = (examples: NonNullable<OpenAPIV3.MediaTypeObject['examples']>): unknown[] =>
  Object.values(examples).map((each) => (each as OpenAPIV3.ExampleObject).value as unknown);

const nameOf = (schema: Schema): string => ('$ref' in schema ? schema.$ref.split('/').at(-1)! : '(inline)');

const parts = (schema: Schema): Schema[] => ('oneOf' in schema ? (schema.oneOf ?? []) : [schema]);
