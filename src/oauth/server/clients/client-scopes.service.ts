import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { FieldProblem, platformErrors } from '../../../platform/errors';
import { fallbackLanguage, Language, TranslatorService } from '../../../platform/i18n';
import {
  CatalogueService,
  everythingIn,
  Grant,
  grantFrom,
  MAX_LEVEL,
  parsePermissionCode,
  PermissionCode,
  permissionIdOf,
} from '../../../rbac';
import { serviceOf } from './resource-name';

/** Who the user is, and whether the client may stay; every other scope is a permission of the catalogue. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;

export interface ReadScopes {
  readonly scopes: readonly string[];
  /** The permissions needed to set them. */
  readonly grants: readonly Grant[];
}

/** A scope in words. */
export interface WordedScope {
  readonly name: string;
  readonly description: string;
}

const isIdentityScope = (text: string): boolean => IDENTITY_SCOPES.some((scope) => scope === text);

/** Scopes as clients have them: those of OpenID Connect, and permissions, the service's own without its scope. */
@Injectable()
export class ClientScopesService {
  constructor(
    private readonly environment: Environment,
    private readonly catalogue: CatalogueService,
    private readonly translator: TranslatorService,
  ) {}

  /** Errors: `validation_failed`, naming those that are not declared. */
  async read(texts: readonly string[]): Promise<ReadScopes> {
    const needed = await this.neededGrants();
    const read = texts.map((text) => {
      const code = this.parse(text);
      return isIdentityScope(text) ? { name: text } : { name: code && this.nameOf(code), grant: needed.get(text) };
    });
    const problems = read.flatMap(({ name, grant }, index): FieldProblem[] =>
      name !== undefined && (grant || isIdentityScope(name))
        ? []
        : [{ field: `scopes[${index}]`, code: 'unknown_scope' }],
    );
    if (problems.length > 0) throw platformErrors.validationFailed({ fields: problems });
    return {
      scopes: [...new Set(read.flatMap(({ name }) => name ?? []))],
      grants: read.flatMap(({ grant }) => grant ?? []),
    };
  }

  /**
   * The permissions needed to let a client introspect the tokens of the resources: everything in each.
   * Errors: `validation_failed`, naming those that are no resource here.
   */
  async readResources(resources: readonly string[]): Promise<Grant[]> {
    const services = await Promise.all(
      resources.map(async (resource) => {
        const service = serviceOf(resource);
        return service !== undefined && (await this.isService(service)) ? service : undefined;
      }),
    );
    const fields = services.flatMap((service, index): FieldProblem[] =>
      service === undefined ? [{ field: `introspection_resources[${index}]`, code: 'unknown_resource' }] : [],
    );
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
    return services.flatMap((service) => (service === undefined ? [] : [everythingIn(service)]));
  }

  /** What the scopes let a client do; a permission that left the catalogue counts at the highest level. */
  async grantsOf(scopes: readonly string[]): Promise<Grant[]> {
    const needed = await this.neededGrants();
    return scopes.flatMap((scope) => {
      const code = this.permissionOf(scope);
      if (!code) return [];
      return needed.get(scope) ?? grantFrom(code.scope, permissionIdOf(code), MAX_LEVEL) ?? [];
    });
  }

  /** The permission that a client's scope is; undefined for those of OpenID Connect. */
  permissionOf(scope: string): PermissionCode | undefined {
    return isIdentityScope(scope) ? undefined : this.parse(scope);
  }

  /** Whether permissions of the service with that scope are kept here. */
  isService(scope: string): Promise<boolean> {
    return this.catalogue.isService(scope);
  }

  /** In the order given, each with what it allows. */
  async inWords(scopes: readonly string[], language: Language): Promise<WordedScope[]> {
    const entries = await this.catalogue.list(language);
    const known = new Map(entries.map((entry) => [`${entry.scope}:${entry.permissionId}`, entry.description]));
    return scopes.map((name) => ({ name, description: this.wordsOf(name, known, language) }));
  }

  private wordsOf(name: string, known: ReadonlyMap<string, string>, language: Language): string {
    if (isIdentityScope(name)) return this.translator.text(language, 'scopes', name);
    const code = this.parse(name);
    const description = code && known.get(`${code.scope}:${permissionIdOf(code)}`);
    return description === undefined || description === '' ? name : description;
  }

  /** By both spellings of a permission of the service's own scope. */
  private async neededGrants(): Promise<Map<string, Grant>> {
    const grants = new Map<string, Grant>();
    for (const { scope, permissionId, requiredLevel } of await this.catalogue.list(fallbackLanguage)) {
      const grant = grantFrom(scope, permissionId, requiredLevel);
      if (!grant) continue;
      grants.set(`${scope}:${permissionId}`, grant);
      if (scope === this.environment.serviceScope) grants.set(permissionId, grant);
    }
    return grants;
  }

  private parse(text: string): PermissionCode | undefined {
    return parsePermissionCode(text, this.environment.serviceScope);
  }

  private nameOf(code: PermissionCode): string {
    const id = permissionIdOf(code);
    return code.scope === this.environment.serviceScope ? id : `${code.scope}:${id}`;
  }
}
