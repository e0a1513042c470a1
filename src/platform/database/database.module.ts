import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CASTELLAN } from './data-source-name';
import { Database } from './database';

interface OpenedOptions {
  readonly opened: DataSource;
}

/** Makes the data source that `Database` has opened known to @nestjs/typeorm. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      name: CASTELLAN,
      inject: [Database],
      // The name again: at shutdown @nestjs/typeorm looks the data source up by these options.
      useFactory: ({ dataSource }: Database) => ({ name: CASTELLAN, retryAttempts: 0, opened: dataSource }),
      dataSourceFactory: async (options) => (options as unknown as OpenedOptions).opened,
    }),
  ],
  exports: [TypeOrmModule],
})
export class DatabaseModule {}
