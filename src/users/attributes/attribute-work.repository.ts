import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { AttributeKey } from './attribute-key.entity';
import { INSERT_KEYS } from './attribute-key.repository';
import { AttributeValue } from './attribute-value';

/** An attribute whose users are worked through, from the lowest id. */
export interface AttributeWork {
  readonly name: string;
  readonly isUnique: boolean;
  /** Users up to this id are done. */
  readonly indexedTo: string;
  readonly isDeleted: boolean;
}

export interface UserValue {
  readonly id: string;
  readonly value: AttributeValue;
}

/** SQL: definitions do not change meanwhile. First of all locks, as in changes, which would wait for a row of this work. */
const LOCK = 'LOCK TABLE user_attribute IN ROW EXCLUSIVE MODE';

/** SQL: one instance works at an attribute at a time, while values of it are written. */
const TAKE = `SELECT name, is_unique AS "isUnique", indexed_to AS "indexedTo", deleted_at IS NOT NULL AS "isDeleted"
  FROM user_attribute WHERE indexed_to IS NOT NULL
    AND CASE WHEN deleted_at IS NULL THEN is_unique OR searchable ELSE deleted_at < now() - interval '1 day' END
  ORDER BY name LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;

/** SQL: looks into JSON, and keeps the values until their keys are stored. */
const NEXT_VALUES = `SELECT id, attributes -> $1::text AS value FROM user_account
  WHERE id > $2::uuid AND attributes -> $1::text IS NOT NULL ORDER BY id LIMIT $3 FOR SHARE`;

const DROP_VALUES = `UPDATE user_account SET attributes = attributes - $1::text WHERE id = ANY($2::uuid[])`;

const ADD_KEYS = `${INSERT_KEYS} ON CONFLICT DO NOTHING`;

const DROP_UNUSED_KEYS = `DELETE FROM user_attribute_key WHERE (user_id, attribute, key) IN (
  SELECT user_id, attribute, key FROM user_attribute_key WHERE attribute IN (
    SELECT name FROM user_attribute WHERE NOT is_unique AND NOT searchable) LIMIT $1)`;

/** Brings keys and values into line with the definitions, in parts. */
@Injectable()
export class AttributeWorkRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Locks an attribute with work until the transaction ends; undefined: there is none, or others are at it. */
  async take(): Promise<AttributeWork | undefined> {
    await this.transactions.manager.query(LOCK);
    return (await this.transactions.rows<AttributeWork>(TAKE, []))[0];
  }

  nextValues({ name, indexedTo }: AttributeWork, limit: number): Promise<UserValue[]> {
    return this.transactions.rows<UserValue>(NEXT_VALUES, [name, indexedTo, limit]);
  }

  async dropValues(name: string, ids: readonly string[]): Promise<void> {
    await this.transactions.affected(DROP_VALUES, [name, ids]);
    await this.transactions.affected(
      'DELETE FROM user_attribute_key WHERE attribute = $1 AND user_id = ANY($2::uuid[])',
      [name, ids],
    );
  }

  async addKeys(keys: readonly AttributeKey[]): Promise<void> {
    await this.transactions.affected(ADD_KEYS, [JSON.stringify(keys)]);
  }

  /** @param to null: all users are done. */
  async moveTo(name: string, to: string | null): Promise<void> {
    await this.transactions.affected('UPDATE user_attribute SET indexed_to = $2 WHERE name = $1', [name, to]);
  }

  async deleteDefinition(name: string): Promise<void> {
    await this.transactions.affected('DELETE FROM user_attribute WHERE name = $1', [name]);
  }

  /** Deletes keys of attributes that are neither unique nor searchable any more. Returns how many. */
  async deleteUnusedKeys(limit: number): Promise<number> {
    await this.transactions.manager.query(LOCK);
    return this.transactions.affected(DROP_UNUSED_KEYS, [limit]);
  }
}
