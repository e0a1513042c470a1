import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { APPLICATION } from '../../platform/context';
import { checkInput } from '../../platform/http/input';
import { presentMembers } from '../../platform/util';
import {
  CatalogueRegistrationService,
  CatalogueService,
  hasStandardRank,
  MAX_LEVEL,
  PermissionLevel,
  RegisterCatalogueDto,
} from '../../rbac';
import { DeclaredItem, naming } from './declared-item';
import { DeclaredPermission } from './host-declarations';

const PARTS = /^(?<scope>[^:]+):(?<permissionId>[^:]+:[^:]+)$/;

interface PermissionContent {
  readonly description: string;
  /** null: by the action. */
  readonly level: number | null;
}

@Injectable()
export class DeclaredPermissionsService {
  constructor(
    private readonly environment: Environment,
    private readonly catalogue: CatalogueService,
    private readonly registration: CatalogueRegistrationService,
  ) {}

  async item({ permission, description = '', level: named }: DeclaredPermission): Promise<DeclaredItem> {
    const { scope = '', permissionId = '' } = PARTS.exec(permission)?.groups ?? {};
    if (scope === '') throw new Error(`The declared permission "${permission}" is not scope:resource:action`);
    if (scope === this.environment.serviceScope) {
      throw new Error(`The declared permission "${permission}" is of the service's own scope: use definePermissions`);
    }
    const level = named ?? defaultLevel(permissionId);
    const entry = { permission_id: permissionId, description, ...presentMembers({ required_level: level }) };
    const what = `permission "${permission}"`;
    const { permissions } = await naming(what, () => checkInput(RegisterCatalogueDto, { permissions: [entry] }));
    return {
      kind: 'permission',
      name: permission,
      content: { description, level: level ?? null },
      read: () => this.read(scope, permissionId),
      isLeftOver: (last, current) => !isRanked(permissionId) && isFormerLevel(last, current),
      write: async () => {
        await naming(what, () => this.registration.register(APPLICATION, scope, permissions));
      },
    };
  }

  private async read(scope: string, permissionId: string): Promise<PermissionContent | undefined> {
    const entries = await this.catalogue.list('en');
    const found = entries.find((entry) => entry.scope === scope && entry.permissionId === permissionId);
    if (!found) return undefined;
    return { description: found.description, level: isRanked(permissionId) ? null : found.requiredLevel };
  }
}

/**
 * Code that named no level once left a lower one of earlier code, and was noted with `null`. That the level stays might
 * also be what an operator wants, but access is denied by default.
 */
function isFormerLevel(last: unknown, current: unknown): boolean {
  const [before, now] = [last, current] as (PermissionContent | undefined)[];
  return before?.level === null && before.description === now?.description;
}

const isRanked = (permissionId: string): boolean => hasStandardRank(permissionId.split(':')[1] ?? '');

/** The level of an action without a standard rank is always declared, so that a lower one of former code goes. */
const defaultLevel = (permissionId: string): PermissionLevel | undefined =>
  isRanked(permissionId) ? undefined : MAX_LEVEL;
