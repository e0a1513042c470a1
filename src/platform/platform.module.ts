import { DynamicModule, Module, Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { join } from 'node:path';
import { AccessPorts } from './access';
import { cacheProviders, Invalidations, KeyValueCache, SharedStates } from './cache';
import { Environment, projectRoot, resolveEncryptionKeys } from './config';
import {
  Argon2PasswordHasher,
  EncryptionKeys,
  HashingQueue,
  PasswordHasher,
  SecretBox,
  SigningKeyRepository,
  SigningKeys,
} from './crypto';
import { Database, DatabaseClock, StartupTasks, Transactions } from './database';
import { Translator } from './i18n';
import { Jobs } from './jobs';
import { Cursors, ListTotals } from './lists';
import { createLogger, Log, PinoLog } from './logging';
import { Metrics } from './metrics';
import { PlatformOptions } from './platform.options';
import { ProblemResponder } from './problems';
import { SettingChecks } from './settings';

function openDatabase({ schema, embedded }: PlatformOptions, environment: Environment, log: Log): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, dataDir } = environment;
  return Database.open(schema, {
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    ...(databaseDirectUrl !== undefined && { directUrl: databaseDirectUrl }),
    ...(embedded ? { embedded } : { dataDir }),
    onPoolError: (error) => {
      log.warn('The database ended an idle connection', { err: error });
    },
    onWaiting: () => {
      log.warn('The database is out of reach; waiting for it');
    },
  });
}

function defaultLog({ logLevel, logFormat }: Environment): Log {
  return new PinoLog(createLogger({ level: logLevel, format: logFormat }));
}

function storageProviders(options: PlatformOptions): Provider[] {
  return [
    {
      provide: Database,
      inject: [Environment, Log],
      useFactory: (environment: Environment, log: Log) => openDatabase(options, environment, log),
    },
    {
      provide: Transactions,
      inject: [Database, Log],
      useFactory: ({ dataSource, transactionOpening }: Database, log: Log) => {
        const onEffectFailure = (error: unknown): void => {
          log.warn('What was to follow a commit failed', { err: error });
        };
        return new Transactions(dataSource, onEffectFailure, transactionOpening);
      },
    },
    { provide: DatabaseClock, useFactory: () => new DatabaseClock() },
    { provide: StartupTasks, useFactory: () => new StartupTasks() },
    ...cacheProviders(options.cache),
  ];
}

function cryptoProviders({ passwordHasher }: PlatformOptions): Provider[] {
  return [
    {
      provide: SecretBox,
      inject: [Environment],
      useFactory: async (environment: Environment) =>
        new SecretBox(EncryptionKeys.parse(await resolveEncryptionKeys(environment, () => EncryptionKeys.generate()))),
    },
    { provide: HashingQueue, useFactory: () => new HashingQueue() },
    passwordHasher
      ? { provide: PasswordHasher, useClass: passwordHasher }
      : {
          provide: PasswordHasher,
          inject: [HashingQueue],
          useFactory: (queue: HashingQueue) => new Argon2PasswordHasher({}, queue),
        },
    SigningKeyRepository,
    SigningKeys,
  ];
}

function commonProviders({ environment, log }: PlatformOptions): Provider[] {
  return [
    { provide: Environment, useValue: environment },
    { provide: Log, useFactory: () => log ?? defaultLog(environment) },
    { provide: Translator, useFactory: () => new Translator(join(projectRoot, 'i18n')) },
    { provide: AccessPorts, useFactory: () => new AccessPorts() },
    { provide: Jobs, inject: [Log], useFactory: (target: Log) => new Jobs(target) },
    { provide: SettingChecks, useFactory: () => new SettingChecks() },
    ProblemResponder,
    Metrics,
    Cursors,
    ListTotals,
  ];
}

const exported = [
  Environment,
  Log,
  Translator,
  AccessPorts,
  Jobs,
  SettingChecks,
  ProblemResponder,
  Metrics,
  Cursors,
  ListTotals,
  Database,
  Transactions,
  DatabaseClock,
  StartupTasks,
  KeyValueCache,
  Invalidations,
  SharedStates,
  SecretBox,
  HashingQueue,
  PasswordHasher,
  SigningKeys,
];

/** What every feature stands on; it knows none of them. */
@Module({})
export class PlatformModule {
  static register(options: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule],
      providers: [...commonProviders(options), ...storageProviders(options), ...cryptoProviders(options)],
      exports: exported,
    };
  }
}
