import { DynamicModule, Module, Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CastellanClientService } from './castellan-client.service';
import { ChangeStreamService } from './change-stream.service';
import { GuardConnectionService } from './guard-connection.service';
import { GuardedRoutesService } from './guarded-routes.service';
import { ProblemTextsService } from './problem-texts.service';
import {
  checkedOptions,
  REMOTE_IDENTITY_OPTIONS,
  RemoteIdentityAsyncOptions,
  RemoteIdentityOptions,
} from './remote-identity.options';
import { RemoteSessionsService } from './remote-sessions.service';

type Awaitable<T> = T | Promise<T>;

const providers = [
  CastellanClientService,
  GuardedRoutesService,
  RemoteSessionsService,
  ChangeStreamService,
  GuardConnectionService,
  ProblemTextsService,
];

/** Castellan's guard in another Nest application, on Express or Fastify, without a database. */
@Module({})
export class RemoteIdentityModule {
  static forRoot(options: RemoteIdentityOptions): DynamicModule {
    return moduleWith({ provide: REMOTE_IDENTITY_OPTIONS, useValue: checkedOptions(options) });
  }

  /** Same as `forRoot`, but a factory returns the options, and may inject providers of `imports`. */
  static forRootAsync({ imports = [], inject = [], useFactory }: RemoteIdentityAsyncOptions): DynamicModule {
    const read = useFactory as (...injected: unknown[]) => Awaitable<RemoteIdentityOptions>;
    const options = {
      provide: REMOTE_IDENTITY_OPTIONS,
      inject,
      useFactory: async (...injected: unknown[]) => checkedOptions(await read(...injected)),
    };
    return moduleWith(options, imports);
  }
}

/** Global, because Nest makes the guard of a controller in the module of the controller. */
function moduleWith(options: Provider, imports: DynamicModule['imports'] = []): DynamicModule {
  return {
    module: RemoteIdentityModule,
    global: true,
    imports: [DiscoveryModule, ...imports],
    providers: [options, ...providers],
    exports: [REMOTE_IDENTITY_OPTIONS, ...providers],
  };
}
