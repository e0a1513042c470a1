import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CASTELLAN } from './data-source-name';
import { Database } from './database';

interface OpenedOptions {
  readonly opened: DataSource;
}

/** Registers the data source of `Database` with @nestjs/typeorm. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      name: CASTELLAN,
      inject: [Database],
      // The name is repeated because @nestjs/typeorm looks the data source up by these options at shutdown.
      useFactory: ({ dataSource }: Database) => ({ name: CASTELLAN, retryAttempts: 0, opened: dataSource }),
      dataSourceFactory: async (options) => (options as unknown as OpenedOptions).opened,
    }),
  ],
  exports: [TypeOrmModule],
})
export class DatabaseModule {}
