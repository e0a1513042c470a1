import { DynamicModule, Module, Provider } from '@nestjs/common';
import { getDataSourceToken, getRepositoryToken } from '@nestjs/typeorm';
import { DataSource, ObjectLiteral, Repository } from 'typeorm';
import { Entity } from './data-source';
import { CASTELLAN } from './data-source-name';
import { Transactions } from './transactions';

/** A repository that uses the entity manager of the running transaction, and so joins it without a parameter. */
export function joiningRepository<T extends ObjectLiteral>(
  entity: new () => T,
  dataSource: DataSource,
  transactions: Transactions,
): Repository<T> {
  const repository = new Repository<T>(entity, dataSource.manager);
  return Object.defineProperty(repository, 'manager', { get: () => transactions.manager });
}

const repositoryProvider = (entity: Entity): Provider => ({
  provide: getRepositoryToken(entity, CASTELLAN),
  inject: [getDataSourceToken(CASTELLAN), Transactions],
  useFactory: (dataSource: DataSource, transactions: Transactions) =>
    joiningRepository(entity, dataSource, transactions),
});

/** As `TypeOrmModule.forFeature(entities, CASTELLAN)`, whose repositories would not join a running transaction. */
@Module({})
export class RepositoriesModule {
  static forFeature(entities: readonly Entity[]): DynamicModule {
    return {
      module: RepositoriesModule,
      providers: entities.map(repositoryProvider),
      exports: entities.map((entity) => getRepositoryToken(entity, CASTELLAN)),
    };
  }
}
