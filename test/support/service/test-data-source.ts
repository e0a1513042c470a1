import { DataSource } from 'typeorm';
import { schema } from '../../../src/identity/identity.module';
import { Database } from '../../../src/platform/database';
import { TestDatabase } from './test-database';

const ignore = (): void => undefined;

/** The data source of the service on the database of a test, without the service. */
export async function openTestDataSource({ url, embedded }: TestDatabase): Promise<DataSource> {
  const place = { ...(url !== undefined && { url }), ...(embedded && { embedded }) };
  const database = await Database.open(schema, { ...place, poolSize: 5, onPoolError: ignore, onWaiting: ignore });
  return database.dataSource;
}
