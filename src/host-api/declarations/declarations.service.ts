import { Injectable, OnModuleInit } from '@nestjs/common';
import { APPLICATION, runAs } from '../../platform/context';
import { StartupTasks, Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { decide, DeclaredItem } from './declared-item';
import { DeclaredAttributesService } from './declared-attributes.service';
import { DeclaredPermissionsService } from './declared-permissions.service';
import { DeclaredRolesService } from './declared-roles.service';
import { DeclaredSettingsService } from './declared-settings.service';
import { HostDeclarationRepository } from './host-declaration.repository';
import { HostDeclarations } from './host-declarations';

const keyOf = ({ kind, name }: Pick<DeclaredItem, 'kind' | 'name'>): string => `${kind} ${name}`;

/** Applies the declarations of the host at every start, as the application. Throws for one that is not valid. */
@Injectable()
export class DeclarationsService implements OnModuleInit {
  constructor(
    private readonly declarations: HostDeclarations,
    private readonly permissions: DeclaredPermissionsService,
    private readonly roles: DeclaredRolesService,
    private readonly attributes: DeclaredAttributesService,
    private readonly settings: DeclaredSettingsService,
    private readonly applied: HostDeclarationRepository,
    private readonly transactions: Transactions,
    private readonly startup: StartupTasks,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'declarations of the host', stage: 'roles', run: () => this.apply() });
  }

  private async apply(): Promise<void> {
    const items = await this.items();
    if (items.length === 0) return;
    await runAs(APPLICATION, () => this.transactions.run(() => this.applyAll(items)));
  }

  /** Permissions before the roles that hold them, and roles before the setting that names one. */
  private async items(): Promise<DeclaredItem[]> {
    const { permissions, roles, attributes, settings } = this.declarations;
    const items = [
      ...(await Promise.all(permissions.map((permission) => this.permissions.item(permission)))),
      ...(await Promise.all(roles.map((role) => this.roles.item(role)))),
      ...(await Promise.all(attributes.map((attribute) => this.attributes.item(attribute)))),
      ...Object.entries(settings).map(([key, value]) => this.settings.item(key, value)),
    ];
    const names = items.map(keyOf);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`The ${twice} is declared twice`);
    return items;
  }

  private async applyAll(items: readonly DeclaredItem[]): Promise<void> {
    const last = new Map((await this.applied.findAll()).map((one) => [keyOf(one), one.content]));
    for (const item of items) await this.applyOne(item, last.get(keyOf(item)));
  }

  private async applyOne(item: DeclaredItem, last: unknown): Promise<void> {
    const { kind, name, content } = item;
    // Most starts: nothing to read.
    if (decide({ last, declared: content, current: undefined }) === 'keep') return;
    const current = await item.read();
    const isLeftOver = item.isLeftOver?.(last, current) ?? false;
    const what = decide({ last: isLeftOver ? current : last, declared: content, current });
    if (what === 'write') await item.write();
    if (what === 'leave') {
      this.log.info(`The declared ${kind} is not applied: an operator has changed or deleted it`, { name });
    }
    await this.applied.save({ kind, name, content });
  }
}
