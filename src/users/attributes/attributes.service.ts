import { Injectable } from '@nestjs/common';
import { AuditService, AuditTarget } from '../../audit';
import { FIRST_ID } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { attributeActs } from './attribute.acts';
import { AttributeReaders } from './attribute-readers.registry';
import { AttributeInput, changedAttribute, newAttribute, NewAttributeInput } from './attribute-definition';
import { AttributeCache } from './attribute.cache';
import { AttributeView, hasKeys, isGone } from './attribute.entity';
import { attributeErrors } from './attribute.errors';
import { AttributeRepository } from './attribute.repository';

const MAX_ATTRIBUTES = 50;
/** Leaves room to move an attribute between two others without them. */
const POSITION_STEP = 1_000;

/** Defines the fields that users have beside the fixed ones. */
@Injectable()
export class AttributesService {
  constructor(
    private readonly attributes: AttributeRepository,
    private readonly cache: AttributeCache,
    private readonly readers: AttributeReaders,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** By position, then name. */
  async list(): Promise<readonly AttributeView[]> {
    return this.cache.get();
  }

  /** Throws `not_found`. */
  async find(name: string): Promise<AttributeView> {
    const attribute = (await this.cache.get()).find((known) => known.name === name);
    if (!attribute) throw platformErrors.notFound();
    return attribute;
  }

  /**
   * Within a day after its deletion, an attribute of the same type gets its values back. Throws `validation_failed`,
   * `name_taken`, `limit_reached`, or `in_use` for another type while values are kept, and for values to be deleted.
   */
  create(input: NewAttributeInput): Promise<AttributeView> {
    return this.transactions.run(async () => {
      await this.attributes.lock();
      const all = await this.attributes.findAll();
      const created = newAttribute(input, (all.at(-1)?.position ?? 0) + POSITION_STEP);
      const former = await this.attributes.findLocked(input.name);
      if (former && former.deletedAt === null) throw attributeErrors.nameTaken();
      if (all.length >= MAX_ATTRIBUTES) throw attributeErrors.limitReached();
      if (former) await this.requireSameKind(former, created);
      const stored = { ...created, indexedTo: hasKeys(created) && former !== null ? FIRST_ID : null };
      await this.store(stored);
      await this.audit.record(attributeActs.create, { target: targetOf(stored), after: audited(stored) });
      return stored;
    });
  }

  /**
   * Throws `not_found`, `validation_failed`, `in_use` for another type or uniqueness while users have values, or
   * `attribute_trusted` for one that something reads and its owner would write.
   */
  change(name: string, input: AttributeInput): Promise<AttributeView> {
    return this.transactions.run(async () => {
      await this.attributes.lock();
      const before = await this.existing(name);
      const changed = changedAttribute(before, input);
      await this.requireSameKind(before, changed);
      if (changed.owner === 'write' && (await this.readers.isRead(name))) throw attributeErrors.attributeTrusted();
      const isNewlyKeyed = hasKeys(changed) && !hasKeys(before);
      const after = { ...changed, indexedTo: isNewlyKeyed ? FIRST_ID : changed.indexedTo };
      await this.store(after);
      await this.audit.record(attributeActs.update, {
        target: targetOf(after),
        before: audited(before),
        after: audited(after),
      });
      return after;
    });
  }

  /** Its values are hidden at once, and deleted after a day. Throws `not_found` or `attribute_trusted`. */
  async delete(name: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.attributes.lock();
      const before = await this.existing(name);
      if (await this.readers.isRead(name)) throw attributeErrors.attributeTrusted();
      await this.store({ ...before, deletedAt: new Date(), indexedTo: FIRST_ID });
      await this.audit.record(attributeActs.delete, { target: targetOf(before), before: audited(before) });
    });
  }

  private async existing(name: string): Promise<AttributeView> {
    const attribute = await this.attributes.findLocked(name);
    if (!attribute || attribute.deletedAt !== null) throw platformErrors.notFound();
    return attribute;
  }

  /** Values that are stored were judged as values of the former type. */
  private async requireSameKind(before: AttributeView, after: AttributeView): Promise<void> {
    if (before.type === after.type && before.unique === after.unique && !isGone(before)) return;
    if (await this.attributes.hasValues(before.name)) throw attributeErrors.inUse();
  }

  private async store(attribute: AttributeView): Promise<void> {
    await this.attributes.save(attribute);
    await this.cache.invalidate();
  }
}

const targetOf = ({ name }: AttributeView): AuditTarget => ({ type: 'attribute', id: name });

function audited({ name: _, indexedTo: __, deletedAt: ___, rules, ...attribute }: AttributeView): object {
  const { maxLength, ...others } = rules;
  return { ...attribute, ...others, ...(maxLength !== undefined && { max_length: maxLength }) };
}
