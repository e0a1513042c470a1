import { Inject, INestApplication, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API_TAGS } from '../../../platform/feature';
import { isOwnController } from '../../../platform/access';
import { serviceVersion } from '../../../platform/config';
import { platformErrors, ProblemDefinition } from '../../../platform/errors';
import { languages } from '../../../platform/i18n';
import { FieldProblemDto, ProblemDto } from '../../../platform/http/problems';
import { describeAnswer } from './answers';
import { completeExamples } from './examples';
import { describePathParameters } from './path-parameters';
import { RouteHandlersService } from './route-handlers.service';
import { RouteProblemsService } from './route-problems.service';
import { securitySchemes } from './security-schemes';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Module = new (...args: never[]) => object;

const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PROBLEM_SCHEMA = '#/components/schemas/ProblemDto';

const DESCRIPTION = `Identity and access: accounts, sessions, roles and permissions.

A login sets cookies, which browsers send automatically. A client without cookies sends the value of the access cookie as \`Authorization: Bearer\`. \
Every error is an RFC 9457 problem with a stable \`code\` and texts in the caller's language. \
Only the OAuth routes return the errors that their RFCs define.`;

const languageParameter = {
  name: 'lang',
  in: 'query' as const,
  required: false,
  description: 'Language of texts in the response. Takes precedence over all other preferences',
  schema: { type: 'string', enum: [...languages] },
};

/** Generates the OpenAPI document of this service's controllers, without the routes of a host application. */
@Injectable()
export class OpenApiDocumentFactory {
  private app: INestApplication | undefined;
  private document: OpenAPIObject | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly problems: RouteProblemsService,
    private readonly handlers: RouteHandlersService,
    @Inject(API_TAGS) private readonly tags: Readonly<Record<string, string>>,
  ) {}

  attach(app: INestApplication): void {
    this.app = app;
  }

  /** Built on the first call, when all routes are registered. */
  get(): OpenAPIObject {
    this.document ??= this.build();
    return this.document;
  }

  private build(): OpenAPIObject {
    if (!this.app) throw new Error('installHttp(app) was not called');
    const document = SwaggerModule.createDocument(this.app, this.frame(), {
      include: this.ownModules(),
      extraModels: [ProblemDto, FieldProblemDto],
      operationIdFactory: (controller, method) => `${controller}_${method}`,
    });
    const schemas = document.components?.schemas ?? {};
    completeExamples(schemas);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const verb of VERBS) if (operations[verb]) this.complete(verb, path, operations[verb], schemas);
    }
    return document;
  }

  private frame(): Omit<OpenAPIObject, 'paths'> {
    const builder = new DocumentBuilder()
      .setTitle('Castellan')
      .setDescription(DESCRIPTION)
      .setVersion(serviceVersion)
      .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
      .addServer('/', 'The origin of the service that serves this document');
    for (const [name, description] of Object.entries(this.tags)) builder.addTag(name, description);
    for (const [name, scheme] of Object.entries(securitySchemes)) builder.addSecurity(name, scheme);
    const frame = builder.build();
    // The operator names the contact. The builder would write an empty one.
    delete frame.info.contact;
    return frame;
  }

  private ownModules(): Module[] {
    const own = this.discovery
      .getControllers()
      .filter(({ metatype }) => metatype && isOwnController(metatype))
      .map(({ host }) => host?.metatype as Module | undefined);
    return [...new Set(own.filter((module) => module !== undefined))];
  }

  /** The security of a route without `@ApiSecurity`. */
  private securityOf({ operationId = '' }: Operation, problems: readonly ProblemDefinition[]): Operation['security'] {
    if (!problems.some(({ code }) => code === platformErrors.unauthenticated.code)) return [];
    return [{ session: [] }, { bearer: [] }, ...(this.problems.isAllowClients(operationId) ? [{ machine: [] }] : [])];
  }

  private complete(verb: string, path: string, operation: Operation, schemas: Schemas): void {
    const { operationId = '', parameters = [] } = operation;
    const problems = this.problems.list(operationId, verb, operation.requestBody !== undefined);
    const described = describePathParameters(path, parameters, this.handlers.idsOf(operationId));
    operation.parameters = [...described, languageParameter];
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (answer && !('$ref' in answer)) answer.description = describeAnswer(status, answer, schemas);
    }
    for (const [status, codes] of byStatus(problems)) {
      operation.responses[status] ??= problemResponse(Number(status), codes);
    }
    operation.security ??= this.securityOf(operation, problems);
  }
}

function byStatus(problems: readonly ProblemDefinition[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { code, status } of problems) groups.set(String(status), [...(groups.get(String(status)) ?? []), code]);
  return groups;
}

function problemResponse(status: number, codes: readonly string[]): Operation['responses'][string] {
  const sorted = [...codes].sort();
  const properties = {
    status: { type: 'number', example: status },
    code: { type: 'string', enum: sorted, example: sorted[0] },
  };
  return {
    description: codes.map((each) => `\`${each}\``).join(' · '),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: PROBLEM_SCHEMA }, { type: 'object', properties }] },
      },
    },
  };
}
