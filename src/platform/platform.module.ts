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
  holdsSigningKeys,
  MigratingPasswordHasher,
  PasswordHasher,
  SecretBox,
  SigningKeyRepository,
  SigningKeys,
} from './crypto';
import { Database, DatabaseClock, DatabaseWatch, Replicas, StartupTasks, Transactions } from './database';
import { Translator } from './i18n';
import { Jobs } from './jobs';
import { Cursors, Journals, ListTotals } from './lists';
import { createLogger, Log, LogOutput, PinoLog } from './logging';
import { Metrics } from './metrics';
import { PlatformOptions, PlatformValues } from './platform.options';
import { FailureLog, ProblemResponder } from './problems';
import { SettingChecks } from './settings';

/** The hasher that makes new hashes. */
const OWN_HASHER = Symbol('castellan.own_password_hasher');

function watchDatabase(log: Log): DatabaseWatch {
  return new DatabaseWatch({
    onLoss: (error) => {
      log.warn('The database ended connections', { err: error });
    },
    onBusy: (error) => {
      log.warn('All connections to the database are busy: whoever waits too long for one is refused with 503', {
        err: error,
      });
    },
    onAway: (error) => {
      log.error('The database is out of reach: what needs it is refused with 503', { err: error });
    },
    onBack: (seconds) => {
      log.info('The database is back', { after_seconds: Math.round(seconds) });
    },
  });
}

async function openDatabase(
  { schema }: PlatformOptions,
  { environment, embedded }: PlatformValues,
  watch: DatabaseWatch,
  log: Log,
): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls: replicaUrls, dataDir } = environment;
  const database = await Database.open(schema, {
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    ...(databaseDirectUrl !== undefined && { directUrl: databaseDirectUrl }),
    replicaUrls,
    ...(embedded ? { embedded } : { dataDir }),
    onPoolError: (error) => {
      watch.suspect(error);
    },
    onWaiting: ({ server, seconds }) => {
      log.warn('The database is out of reach; waiting for it', { server, seconds });
    },
  });
  watch.begin(() => database.probe());
  return database;
}

async function openReplicas({ replicas: sources }: Database, transactions: Transactions, log: Log): Promise<Replicas> {
  const replicas = new Replicas(sources, transactions, {
    onAway: (error) => {
      log.warn('A replica of the database is out of reach: its lists come from the database itself', { err: error });
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
    { provide: DatabaseWatch, inject: [Log], useFactory: watchDatabase },
    {
      provide: Database,
      inject: [PlatformValues, DatabaseWatch, Log],
      useFactory: (values: PlatformValues, watch: DatabaseWatch, log: Log) => openDatabase(options, values, watch, log),
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
    { provide: Replicas, inject: [Database, Transactions, Log], useFactory: openReplicas },
    { provide: DatabaseClock, useFactory: () => new DatabaseClock() },
    { provide: StartupTasks, useFactory: () => new StartupTasks() },
    ...cacheProviders(options.cache),
  ];
}

async function openSecretBox(environment: Environment, { dataSource }: Database): Promise<SecretBox> {
  const isSealed = (): Promise<boolean> => holdsSigningKeys(dataSource);
  return new SecretBox(
    EncryptionKeys.parse(await resolveEncryptionKeys(environment, () => EncryptionKeys.generate(), isSealed)),
  );
}

function cryptoProviders({ passwordHasher }: PlatformOptions): Provider[] {
  return [
    {
      provide: SecretBox,
      inject: [Environment, Database],
      useFactory: openSecretBox,
    },
    { provide: HashingQueue, useFactory: () => new HashingQueue() },
    passwordHasher
      ? { provide: OWN_HASHER, useClass: passwordHasher }
      : {
          provide: OWN_HASHER,
          inject: [HashingQueue],
          useFactory: (queue: HashingQueue) => new Argon2PasswordHasher({}, queue),
        },
    {
      provide: PasswordHasher,
      inject: [OWN_HASHER, HashingQueue],
      useFactory: (own: PasswordHasher, queue: HashingQueue) => new MigratingPasswordHasher(own, queue),
    },
    SigningKeyRepository,
    SigningKeys,
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
    { provide: Translator, useFactory: () => new Translator(join(projectRoot, 'i18n')) },
    { provide: AccessPorts, useFactory: () => new AccessPorts() },
    {
      provide: Jobs,
      inject: [Log, DatabaseWatch],
      useFactory: (target: Log, watch: DatabaseWatch) => new Jobs(target, watch),
    },
    { provide: SettingChecks, useFactory: () => new SettingChecks() },
    FailureLog,
    ProblemResponder,
    Metrics,
    Cursors,
    ListTotals,
    Journals,
  ];
}

const exported = [
  Environment,
  Log,
  Translator,
  AccessPorts,
  Jobs,
  SettingChecks,
  FailureLog,
  ProblemResponder,
  Metrics,
  Cursors,
  ListTotals,
  Journals,
  Database,
  DatabaseWatch,
  Transactions,
  Replicas,
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
  /** @param host provides `PlatformValues`, and what the host's own classes among the features ask for. */
  static register(options: PlatformOptions, host: DynamicModule): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, host],
      providers: [...commonProviders(), ...storageProviders(options), ...cryptoProviders(options)],
      exports: [...exported, host],
    };
  }
}
