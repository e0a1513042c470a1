import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calmEnd } from './calm-end';
import { tryAddress } from './listening';
import { readIdentityEnvironment } from '../identity/identity.variables';
import { Environment, StartupError } from '../platform/config';
import type { ReadinessService } from '../operations/health';
import { createLogger, Log, LogFields, LogOutput, PinoLog } from '../platform/logging';
import { startTelemetry, Telemetry } from './telemetry';

const MIN_SECONDS = 1;
/** Maximum time to wait at exit for other threads. */
const CALM_MS = 1_000;

/** How far the start and the end have come. */
interface Progress {
  isListening: boolean;
  isStopping: boolean;
}

async function serve(output: LogOutput, progress: Progress): Promise<void> {
  const environment = readIdentityEnvironment();
  await tryAddress(environment);
  const telemetry = startTelemetry();
  const log = makeLog(environment, output, telemetry);
  let close = (): Promise<void> => telemetry.stop();
  // Before anything is opened, because unhandled signals to PID 1 of a container are lost.
  stopOnSignal(environment.shutdownSeconds, () => close(), { log, output, progress });
  // Modules that telemetry instruments must be loaded after it.
  const { createStandalone, readinessOf, reloadSecrets } = await import('./standalone.js');
  const app = await createStandalone({ log, cutConnections: environment.shutdownSeconds === 0 });
  close = async (): Promise<void> => {
    await app.close();
    await telemetry.stop();
  };
  telemetry.nameRequests(app.getHttpAdapter().getInstance());
  await app.listen(environment.port, environment.host);
  // A signal may arrive while the database is prepared.
  if (progress.isStopping) return;
  progress.isListening = true;
  const url = environment.publicUrl ?? (await app.getUrl());
  reloadOnSignal(environment, () => reloadSecrets(app));
  sayWhenReady(readinessOf(app), { listens: addressOf(app.getHttpServer()), url }, log);
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * While migrations are pending that it may not run, the service listens without being ready and serves health and
 * metrics.
 */
function sayWhenReady(readiness: ReadinessService, addresses: LogFields, log: Log): void {
  if (!readiness.isPrepared) log.info('Castellan listens, but is not ready: migrations are pending', addresses);
  void readiness.whenPrepared.then(() => {
    log.info('Castellan is ready', addresses);
  });
}

/** Without secret files there is nothing to reread, so SIGHUP ends the process, as expected when a terminal closes. */
function reloadOnSignal({ readFromFiles }: Environment, reload: () => Promise<void>): void {
  if (readFromFiles.length > 0) process.on('SIGHUP', () => void reload());
}

function makeLog({ logLevel: level, logFormat: format }: Environment, output: LogOutput, telemetry: Telemetry): Log {
  return new PinoLog(createLogger({ level, format, destination: output, everyLine: () => telemetry.ids() }), output);
}

interface Stop {
  readonly log: Log;
  readonly output: LogOutput;
  readonly progress: Progress;
}

function stopOnSignal(seconds: number, close: () => Promise<void>, { log, output, progress }: Stop): void {
  const exit = (code: number): void => {
    void Promise.allSettled([output.flush(), calmEnd(CALM_MS)]).then(() => process.exit(code));
  };
  const stop = (signal: string): void => {
    if (progress.isStopping) {
      exit(1);
      return;
    }
    progress.isStopping = true;
    log.info('Stopping', { signal });
    // Even with no time for requests, running requests and jobs get a second to finish their work.
    setTimeout(
      () => {
        log.error('The shutdown time ran out with requests in flight');
        exit(1);
      },
      Math.max(seconds, MIN_SECONDS) * 1_000,
    ).unref();
    close().then(
      () => {
        if (!progress.isListening) log.info('Stopped before the database was ready: the next start continues');
        exit(0);
      },
      (error: unknown) => {
        log.error('Stopping failed', { err: error });
        exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Prints one line with the cause. Returns 78 for a bad configuration and 1 otherwise. */
function explain(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof StartupError ? error.exitCode : 1;
}

const output = new LogOutput();
const progress: Progress = { isListening: false, isStopping: false };
serve(output, progress).catch(async (error: unknown) => {
  // A start that lost its database to the end of the process has no other cause.
  if (progress.isStopping) return;
  const code = explain(error);
  await Promise.allSettled([output.flush(), calmEnd(CALM_MS)]);
  process.exit(code);
});
