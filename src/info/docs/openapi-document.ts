import { INestApplication, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API_CONTROLLER } from '../../platform/access';
import { serviceVersion } from '../../platform/config';
import { platformErrors, ProblemDefinition } from '../../platform/errors';
import { languages } from '../../platform/i18n';
import { FieldProblemDto, ProblemDto } from '../../platform/problems';
import { RouteProblems } from './route-problems';
import { securitySchemes } from './security-schemes';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Module = new (...args: never[]) => object;

const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PROBLEM_SCHEMA = '#/components/schemas/ProblemDto';

const languageParameter = {
  name: 'lang',
  in: 'query' as const,
  required: false,
  description: 'Language of texts in the answer; stands above every other sign of it',
  schema: { type: 'string', enum: [...languages] },
};

/** The generated OpenAPI document of our controllers; routes of a host are none of its business. */
@Injectable()
export class OpenApiDocument {
  private app: INestApplication | undefined;
  private document: OpenAPIObject | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly problems: RouteProblems,
  ) {}

  attach(app: INestApplication): void {
    this.app = app;
  }

  /** Built at the first call, once all routes are there. */
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
    for (const path of Object.values(document.paths)) {
      for (const verb of VERBS) if (path[verb]) this.complete(verb, path[verb]);
    }
    return document;
  }

  private frame(): Omit<OpenAPIObject, 'paths'> {
    const builder = new DocumentBuilder()
      .setTitle('Castellan')
      .setDescription(
        'Identity and access: accounts, sessions, roles and permissions. Every error is an RFC 9457 problem.',
      )
      .setVersion(serviceVersion);
    for (const [name, scheme] of Object.entries(securitySchemes)) builder.addSecurity(name, scheme);
    return builder.build();
  }

  private ownModules(): Module[] {
    const own = this.discovery
      .getControllers()
      .filter(({ metatype }) => metatype && Reflect.getMetadata(API_CONTROLLER, metatype) === true)
      .map(({ host }) => host?.metatype as Module | undefined);
    return [...new Set(own.filter((module) => module !== undefined))];
  }

  /** Of a route that does not say it by `@ApiSecurity`. */
  private securityOf({ operationId = '' }: Operation, problems: readonly ProblemDefinition[]): Operation['security'] {
    if (!problems.some(({ code }) => code === platformErrors.unauthenticated.code)) return [];
    return [{ session: [] }, { bearer: [] }, ...(this.problems.isForMachines(operationId) ? [{ machine: [] }] : [])];
  }

  private complete(verb: string, operation: Operation): void {
    const problems = this.problems.of(operation.operationId ?? '', verb, operation.requestBody !== undefined);
    operation.parameters = [...(operation.parameters ?? []), languageParameter];
    for (const [status, codes] of byStatus(problems)) operation.responses[status] ??= problemResponse(codes);
    operation.security ??= this.securityOf(operation, problems);
  }
}

function byStatus(problems: readonly ProblemDefinition[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { code, status } of problems) groups.set(String(status), [...(groups.get(String(status)) ?? []), code]);
  return groups;
}

function problemResponse(codes: readonly string[]): Operation['responses'][string] {
  const code = { type: 'string', enum: [...codes].sort() };
  return {
    description: codes.map((each) => `\`${each}\``).join(' · '),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: PROBLEM_SCHEMA }, { type: 'object', properties: { code } }] },
      },
    },
  };
}
