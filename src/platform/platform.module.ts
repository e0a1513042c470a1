import { DynamicModule, Module, Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { join } from 'node:path';
import { CacheFactory, cacheProviders, CounterStore, Invalidations, KeyValueCache } from './cache';
import { Environment, projectRoot, resolveEncryptionKeys } from './config';
import {
  Argon2PasswordHasher,
  EncryptionKeys,
  HashingQueue,
  MigratingPasswordHasher,
  PasswordHasher,
  SecretBox,
} from './crypto';
import {
  Database,
  DatabaseClock,
  DatabaseModule,
  DatabaseHealthMonitor,
  DatabaseServerRepository,
  explainingRights,
  Replicas,
  StartupTasks,
  Transactions,
} from './database';
import { API_TAGS } from './feature';
import { DeliveriesModule } from './outbound/deliveries';
import { HttpModule } from './http';
import { DomainEventsModule } from './jobs/events';
import { TextsModule } from './i18n';
import { Scheduler } from './jobs';
import { CursorsService, EventLogRepository, CountEstimateRepository } from './lists';
import { createLogger, Log, LogOutput, PinoLog } from './logging';
import { MetricsService, PlatformMetricsService } from './metrics';
import { OutboundModule } from './outbound';
import { PlatformOptions, PlatformValues } from './platform.options';
import { FailureLogService, ProblemResponderService } from './http/problems';
import { SettingDuties, SettingsValidators } from './settings';

/** The hasher for new passwords. */
const OWN_HASHER = Symbol('castellan.own_password_hasher');

function watchDatabase(log: Log): DatabaseHealthMonitor {
  return new DatabaseHealthMonitor({
    onLoss: (error) => {
      log.warn('The database ended connections', { err: error });
    },
    onBusy: (error) => {
      log.warn('All connections to the database are busy: requests that wait too long are rejected with 503', {
        err: error,
      });
    },
    onAway: (error) => {
      log.error('The database is out of reach: requests that need it are rejected with 503', { err: error });
    },
    onBack: (seconds) => {
      log.info('The database is back', { after_seconds: Math.round(seconds) });
    },
  });
}

async function openDatabase(
  { schema }: PlatformOptions,
  { environment, embedded }: PlatformValues,
  healthMonitor: DatabaseHealthMonitor,
  log: Log,
): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls: replicaUrls, dataDir } = environment;
  const database = await Database.open(schema, {
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    ...(databaseDirectUrl !== undefined && { directUrl: databaseDirectUrl }),
    replicaUrls,
    ...(embedded ? { embedded } : { dataDir }),
    onPoolError: (error) => {
      healthMonitor.report(error);
    },
    onWaiting: ({ server, seconds }) => {
      log.warn('The database is out of reach; waiting for it', { server, seconds });
    },
  });
  healthMonitor.begin(() => database.probe());
  return database;
}

async function openReplicas({ replicas: sources }: Database, transactions: Transactions, log: Log): Promise<Replicas> {
  const replicas = new Replicas(sources, transactions, {
    onAway: (error) => {
      log.warn('A replica of the database is out of reach: lists are read from the database', { err: error });
    },
    onBack: () => {
      log.info('A replica of the database is back');
    },
  });
  await replicas.open();
  return replicas;
}

function defaultLog({ logLevel, logFormat }: Environment): Log {
  const destination = new LogOutput();
  return new PinoLog(createLogger({ level: logLevel, format: logFormat, destination }), destination);
}

function storageProviders(options: PlatformOptions): Provider[] {
  return [
    { provide: DatabaseHealthMonitor, inject: [Log], useFactory: watchDatabase },
    {
      provide: Database,
      inject: [PlatformValues, DatabaseHealthMonitor, Log],
      useFactory: (values: PlatformValues, healthMonitor: DatabaseHealthMonitor, log: Log) =>
        openDatabase(options, values, healthMonitor, log),
    },
    {
      provide: Transactions,
      inject: [Database, Log],
      useFactory: ({ dataSource, transactionOpening }: Database, log: Log) => {
        const onEffectFailure = (error: unknown): void => {
          log.warn('After-commit hook failed', { err: error });
        };
        return new Transactions(dataSource, onEffectFailure, transactionOpening);
      },
    },
    { provide: Replicas, inject: [Database, Transactions, Log], useFactory: openReplicas },
    DatabaseServerRepository,
    { provide: DatabaseClock, useFactory: () => new DatabaseClock() },
    { provide: StartupTasks, useFactory: () => new StartupTasks() },
    ...cacheProviders(options.cache),
  ];
}

async function openSecretBox(
  { isSealed }: PlatformOptions,
  environment: Environment,
  { dataSource }: Database,
): Promise<SecretBox> {
  const keys = await resolveEncryptionKeys(
    environment,
    () => EncryptionKeys.generate(),
    () => explainingRights('DATABASE_URL', dataSource, () => isSealed(dataSource)),
  );
  return new SecretBox(EncryptionKeys.parse(keys));
}

function cryptoProviders(options: PlatformOptions): Provider[] {
  return [
    {
      provide: SecretBox,
      inject: [Environment, Database],
      useFactory: (environment: Environment, database: Database) => openSecretBox(options, environment, database),
    },
    { provide: HashingQueue, useFactory: () => new HashingQueue() },
    options.passwordHasher
      ? { provide: OWN_HASHER, useClass: options.passwordHasher }
      : {
          provide: OWN_HASHER,
          inject: [HashingQueue],
          useFactory: (queue: HashingQueue) => new Argon2PasswordHasher({}, queue),
        },
    {
      provide: PasswordHasher,
      inject: [OWN_HASHER],
      useFactory: (own: PasswordHasher) => new MigratingPasswordHasher(own),
    },
  ];
}

function commonProviders(): Provider[] {
  return [
    { provide: Environment, inject: [PlatformValues], useFactory: ({ environment }: PlatformValues) => environment },
    {
      provide: Log,
      inject: [PlatformValues],
      useFactory: ({ environment, log }: PlatformValues) => log ?? defaultLog(environment),
    },
    {
      provide: Scheduler,
      inject: [Log, DatabaseHealthMonitor],
      useFactory: (target: Log, healthMonitor: DatabaseHealthMonitor) => new Scheduler(target, healthMonitor),
    },
    { provide: SettingDuties, useFactory: () => new SettingDuties() },
    { provide: SettingsValidators, useFactory: () => new SettingsValidators() },
    FailureLogService,
    ProblemResponderService,
    MetricsService,
    PlatformMetricsService,
    CursorsService,
    CountEstimateRepository,
    EventLogRepository,
  ];
}

const exported = [
  Environment,
  Log,
  Scheduler,
  SettingDuties,
  SettingsValidators,
  FailureLogService,
  ProblemResponderService,
  MetricsService,
  CursorsService,
  CountEstimateRepository,
  EventLogRepository,
  Database,
  DatabaseHealthMonitor,
  Transactions,
  Replicas,
  DatabaseClock,
  DatabaseServerRepository,
  StartupTasks,
  KeyValueCache,
  CounterStore,
  Invalidations,
  CacheFactory,
  SecretBox,
  HashingQueue,
  PasswordHasher,
];

const modules = [
  DatabaseModule,
  DeliveriesModule,
  DiscoveryModule,
  DomainEventsModule,
  HttpModule,
  OutboundModule,
  TextsModule.forRoot(join(projectRoot, 'i18n')),
];

/**
 * The foundation of all features, which depends on none of them. Global; its tokens are classes and symbols of this
 * package.
 */
@Module({})
export class PlatformModule {
  /** A global module of the composition root provides `PlatformValues` and what the classes in `options` inject. */
  static forRoot(options: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: modules,
      providers: [
        { provide: API_TAGS, useValue: options.tags },
        ...commonProviders(),
        ...storageProviders(options),
        ...cryptoProviders(options),
      ],
      exports: [API_TAGS, ...exported, ...modules],
    };
  }
}
