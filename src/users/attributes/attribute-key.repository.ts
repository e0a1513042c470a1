import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { AttributeKey } from './attribute-key.entity';
import { attributeErrors, ofAttributes } from './attribute.errors';
import { AttributeValues, keysOf } from './attribute-value';

export type ValueKey = Pick<AttributeKey, 'attribute' | 'key'>;

/** SQL: the definitions must not change before the keys are written. */
const KEYED = `SELECT name, is_unique AS "isUnique" FROM user_attribute
  WHERE (is_unique OR searchable) AND name = ANY($1::varchar[]) ORDER BY name FOR KEY SHARE`;

/** SQL: waits for another transaction with the same unique key, and then leaves the key out. */
const ADD = `INSERT INTO user_attribute_key (user_id, attribute, key, is_unique)
  SELECT $1::uuid, attribute, key, "isUnique" FROM jsonb_to_recordset($2::jsonb) AS wanted
    (attribute varchar, key text, "isUnique" boolean)
  ORDER BY attribute, key
  ON CONFLICT DO NOTHING RETURNING attribute, key`;

/** SQL: the rows of `$1`, without what happens to those that are there. */
export const INSERT_KEYS = `INSERT INTO user_attribute_key (user_id, attribute, key, is_unique)
  SELECT "userId", attribute, key, "isUnique" FROM jsonb_to_recordset($1::jsonb) AS wanted
    ("userId" uuid, attribute varchar, key text, "isUnique" boolean)`;

const FIND_UNIQUE = `SELECT attribute, key FROM user_attribute_key
  JOIN jsonb_to_recordset($1::jsonb) AS wanted (attribute varchar, key text) USING (attribute, key) WHERE is_unique`;

/** The keys of users' values, by which values are unique and users are found. */
@Injectable()
export class AttributeKeyRepository {
  constructor(
    @InjectRepository(AttributeKey, CASTELLAN) private readonly keys: Repository<AttributeKey>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Stores the keys of the values. Call in the transaction that stores the values. Throws `attribute_taken` with the
   * attributes whose value another user has.
   */
  async replace(userId: string, values: AttributeValues): Promise<void> {
    const wanted = await this.wantedKeys(values);
    const stored = await this.keys.findBy({ userId });
    const isWanted = has(wanted);
    const outdated = stored.filter((key) => !isWanted(key));
    if (outdated.length > 0) await this.keys.remove(outdated);
    const isStored = has(stored);
    const missing = wanted.filter((key) => !isStored(key));
    if (missing.length === 0) return;
    const isAdded = has(await this.transactions.rows<ValueKey>(ADD, [userId, JSON.stringify(missing)]));
    const taken = missing.filter((key) => !isAdded(key)).map(({ attribute }) => attribute);
    if (taken.length > 0) throw ofAttributes(attributeErrors.attributeTaken, [...new Set(taken)]);
  }

  /** The unique ones among the keys that users have. */
  findUnique(keys: readonly ValueKey[]): Promise<ValueKey[]> {
    if (keys.length === 0) return Promise.resolve([]);
    return this.transactions.rows<ValueKey>(FIND_UNIQUE, [JSON.stringify(keys)]);
  }

  /** Adds keys of new users. Violates `user_attribute_key_unique` if another user has a unique one. */
  async add(keys: readonly AttributeKey[]): Promise<void> {
    if (keys.length > 0) await this.transactions.affected(INSERT_KEYS, [JSON.stringify(keys)]);
  }

  private async wantedKeys(values: AttributeValues): Promise<Omit<AttributeKey, 'userId'>[]> {
    const keyed = await this.transactions.rows<{ name: string; isUnique: boolean }>(KEYED, [Object.keys(values)]);
    return keyed.flatMap(({ name: attribute, isUnique }) => {
      const value = values[attribute];
      const keys = value === undefined ? [] : keysOf(value);
      return keys.map((key) => ({ attribute, key, isUnique }));
    });
  }
}

/** Identifies the key among those of all attributes. */
export const nameOfKey = ({ attribute, key }: ValueKey): string => JSON.stringify([attribute, key]);

function has(keys: readonly ValueKey[]): (key: ValueKey) => boolean {
  const names = new Set(keys.map(nameOfKey));
  return (key) => names.has(nameOfKey(key));
}
