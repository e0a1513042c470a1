import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { RecentLoginService } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { BrandingService } from '../settings';
import {
  PermissionsService,
  Branding,
  BrandingName,
  brandingNames,
  brandingSettings,
  changedSettings,
  isSensitiveChange,
  OrganizationSettings,
  OrganizationSettingsChange,
  OrganizationCoverService,
  organizationTarget,
} from '../rbac';
import { OrganizationSettingsRepository } from './organization-settings.repository';
import { OrganizationViewsService } from './organization-views.service';
import { organizationActs } from './organization.acts';

/** What strangers see of an organization that has set something. */
export interface OrganizationOverlay {
  readonly id: string;
  /** The organization's values over those of the service. */
  readonly branding: Branding;
  /** Login methods that the organization accepts. Undefined: all. */
  readonly loginMethods: readonly string[] | undefined;
}

/** The settings of organizations: what they show and accept instead of what the service does. */
@Injectable()
export class OrganizationSettingsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly repository: OrganizationSettingsRepository,
    private readonly organizations: OrganizationViewsService,
    private readonly cover: OrganizationCoverService,
    private readonly permissions: PermissionsService,
    private readonly recentLogins: RecentLoginService,
    private readonly branding: BrandingService,
    private readonly audit: AuditService,
  ) {}

  /** Throws `not_found`. */
  async find(organizationId: string): Promise<OrganizationSettings> {
    const found = await this.repository.find(organizationId);
    if (!found) throw platformErrors.notFound();
    return found;
  }

  /** Undefined for an organization that does not exist, and for one that has set nothing, so that they look the same. */
  async overlayOf(organizationId: string): Promise<OrganizationOverlay | undefined> {
    const own = await this.repository.find(organizationId);
    if (!own || Object.keys(own).length === 0) return undefined;
    const service = await this.serviceBranding();
    const branding = brandingOf((name) => valueOf(name, own) ?? service[name]);
    return { id: organizationId, branding, loginMethods: own.login_methods };
  }

  /** Whether any organization has the method among those that it accepts. Such a list is kept by name. */
  isLoginListed(method: string): Promise<boolean> {
    return this.repository.isLoginListed(method);
  }

  /** What the service shows. */
  async serviceBranding(): Promise<Branding> {
    const { name, logo, primaryColor, terms, privacy, support } = await this.branding.current();
    return { name, logo, primary_color: primaryColor, terms, privacy, support };
  }

  /**
   * The values must be valid. Throws `not_found`, the errors of `requireValid`, or `reauthentication_required` for name, logo,
   * links and login methods without a recent login.
   * @param requireValid checks what others may have changed meanwhile, given the settings before. Runs with the lock of authority
   */
  change(
    caller: Caller,
    organizationId: string,
    change: OrganizationSettingsChange,
    requireValid: (before: OrganizationSettings) => Promise<void>,
  ): Promise<OrganizationSettings> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      const organization = await this.organizations.find(organizationId);
      const before = organization.settings;
      await requireValid(before);
      const after = changedSettings(before, change);
      if (isSensitiveChange(before, after)) await this.recentLogins.require(caller);
      const [was, is] = [changedSettings(before, {}), after];
      if (JSON.stringify(was) === JSON.stringify(is)) return before;
      await this.repository.replace(organizationId, after);
      const target = organizationTarget(organization);
      await this.audit.record(organizationActs.updateSettings, { target, before: was, after: is });
      if (JSON.stringify(was.login_methods) !== JSON.stringify(is.login_methods)) {
        await this.permissions.invalidateAll();
      }
      return after;
    });
  }
}

const brandingOf = (value: (name: BrandingName) => string): Branding =>
  Object.fromEntries(brandingNames.map((name) => [name, value(name)])) as Record<BrandingName, string>;

/** Undefined for a value that breaks a rule added after it was stored. */
function valueOf(name: BrandingName, own: OrganizationSettings): string | undefined {
  const parsed = own[name] === undefined ? undefined : brandingSettings[name].kind.parse(own[name]);
  return parsed && 'value' in parsed ? parsed.value : undefined;
}
