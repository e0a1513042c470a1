import { DataSource } from 'typeorm';
import { schema } from '../../src/identity.module';
import { createEmbeddedPool } from '../../src/platform/database';
import { embeddedDataSource, serverDataSource } from '../../src/platform/database/data-source';
import { TestDatabase } from './test-database';

/** The service's own data source on a test's database, without the service. */
export function openTestDataSource({ url, embedded }: TestDatabase): Promise<DataSource> {
  const dataSource = embedded
    ? embeddedDataSource(schema, { Pool: createEmbeddedPool(embedded) })
    : serverDataSource(schema, { url: url ?? '', poolSize: 5, onPoolError: () => undefined });
  return dataSource.initialize();
}
