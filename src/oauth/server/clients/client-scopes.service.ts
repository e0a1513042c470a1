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
import { UserAttributesService } from '../../../users/attributes';
import { ClaimMapping, definedAttributeOf } from './client-claims';
import { serviceOf } from './resource-name';

/** The scope with which a client of others gets its mapped claims. */
export const PERMISSIONS_SCOPE = 'permissions';

/** The scope with which tokens are for one organization of the user. */
export const ORGANIZATION_SCOPE = 'organization';

/** The OpenID Connect scopes, and those of this service. Every other scope is a permission of the catalogue. */
export const IDENTITY_SCOPES = [
  'openid',
  'profile',
  'email',
  'phone',
  'offline_access',
  PERMISSIONS_SCOPE,
  ORGANIZATION_SCOPE,
] as const;

export interface ReadScopes {
  readonly scopes: readonly string[];
  /** The permissions required to set them. */
  readonly grants: readonly Grant[];
}

/** A scope with its description. */
export interface WordedScope {
  readonly name: string;
  readonly description: string;
}

const isIdentityScope = (text: string): boolean => IDENTITY_SCOPES.some((scope) => scope === text);

/**
 * Parses clients' scopes: those of OpenID Connect, and permissions. This service's own permissions have no scope
 * prefix.
 */
@Injectable()
export class ClientScopesService {
  constructor(
    private readonly environment: Environment,
    private readonly catalogue: CatalogueService,
    private readonly translator: TranslatorService,
    private readonly attributes: UserAttributesService,
  ) {}

  /** Errors: `validation_failed` for scopes that are not declared. */
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
   * The permissions required to let a client introspect tokens of the resources: all permissions in each scope.
   * Errors: `validation_failed` for unknown resources.
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
    return this.grantsOfResources(resources);
  }

  /** What introspecting the tokens of the resources counts as, also for a service that is gone: everything in each. */
  grantsOfResources(resources: readonly string[]): Grant[] {
    return resources.flatMap((resource) => {
      const service = serviceOf(resource);
      return service === undefined ? [] : [everythingIn(service)];
    });
  }

  /**
   * The permissions that the scopes grant. A permission that is no longer in the catalogue counts at the highest level.
   */
  async grantsOf(scopes: readonly string[]): Promise<Grant[]> {
    const needed = await this.neededGrants();
    return scopes.flatMap((scope) => {
      const code = this.permissionOf(scope);
      if (!code) return [];
      return needed.get(scope) ?? grantFrom(code.scope, permissionIdOf(code), MAX_LEVEL) ?? [];
    });
  }

  /** The permission of a scope. Undefined for OpenID Connect scopes. */
  permissionOf(scope: string): PermissionCode | undefined {
    return isIdentityScope(scope) ? undefined : this.parse(scope);
  }

  /** Whether this service manages the permissions of that scope. */
  isService(scope: string): Promise<boolean> {
    return this.catalogue.isService(scope);
  }

  /** The scopes in the given order, with their descriptions. */
  async inWords(scopes: readonly string[], language: Language): Promise<WordedScope[]> {
    const entries = await this.catalogue.list(language);
    const known = new Map(entries.map((entry) => [`${entry.scope}:${entry.permissionId}`, entry.description]));
    return scopes.map((name) => ({ name, description: this.wordsOf(name, known, language) }));
  }

  /** Describes the scope `permissions` by what the client's claims disclose about a user. */
  async wordsOfClaims(claims: readonly ClaimMapping[], language: Language): Promise<string> {
    const labels = new Map((await this.attributes.all()).map(({ name, label }) => [name, label[language]]));
    const described = claims.flatMap((claim) => {
      const name = definedAttributeOf(claim);
      if (name !== undefined) {
        return this.translator.text(language, 'scopes', 'claims.defined', { label: labels.get(name) ?? name });
      }
      const subject = claim.from === 'attribute' ? claim.value : claim.from;
      return subject === 'constant' ? [] : this.translator.text(language, 'scopes', `claims.${subject}`);
    });
    const words = [...new Set(described)];
    if (words.length === 0) return this.wordsOf(PERMISSIONS_SCOPE, new Map(), language);
    const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(words);
    return this.translator.text(language, 'scopes', 'claims.see', { list });
  }

  private wordsOf(name: string, known: ReadonlyMap<string, string>, language: Language): string {
    if (isIdentityScope(name)) return this.translator.text(language, 'scopes', name);
    const code = this.parse(name);
    const description = code && known.get(`${code.scope}:${permissionIdOf(code)}`);
    return description === undefined || description === '' ? name : description;
  }

  /** Grants by scope name. Permissions of this service have two names. */
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
