import { Abstract, DynamicModule, FactoryProvider, InjectionToken, Module, Provider, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ANNOUNCE_ADMINISTRATOR, AnnounceAdministrator } from '../auth';
import { AvatarGenerator, AvatarPictures } from '../users/avatars';
import { HostDeclarations } from '../host-api';
import {
  HostModule,
  IdentityAsyncOptions,
  IdentityExtensions,
  IdentityStructure,
  IdentityValues,
} from './identity.options';
import { OAuthProviderAdapter } from '../oauth';
import { readIdentityEnvironment } from './identity.variables';
import { hostPart, Replacement } from '../platform/host-part';
import { PlatformValues } from '../platform/platform.options';
import { LoginMethod } from '../auth/login';
import { Mailer, SmsSender } from '../messaging';

const IDENTITY_VALUES = Symbol('castellan.identity_values');

/* eslint-disable no-console -- a generated password is printed for a person to read, and must not pass through the log */
const printAdministrator: AnnounceAdministrator = ({ username, password }) => {
  console.log(`\n  First administrator   ${username}\n  Password              ${password}\n  (printed once)\n`);
};
/* eslint-enable no-console */

/**
 * Hosts without type checks may return structural options from the factory, so reject them instead of ignoring them.
 */
function rejectStructure(values: IdentityValues): IdentityValues {
  const late = ['imports', 'extensions'].filter((name) => name in values);
  if (late.length === 0) return values;
  throw new Error(`Pass ${late.join(' and ')} to IdentityModule.forRootAsync next to useFactory, not in its result`);
}

function platformValues({ environment, log, embeddedDatabase }: IdentityValues): PlatformValues {
  return {
    environment: readIdentityEnvironment(environment),
    ...(log && { log }),
    ...(embeddedDatabase && { embedded: embeddedDatabase }),
  };
}

type ValuesFactory = Pick<IdentityAsyncOptions, 'inject' | 'useFactory'>;

function providers({ inject = [], useFactory }: ValuesFactory): Provider[] {
  const values: FactoryProvider = {
    provide: IDENTITY_VALUES,
    inject,
    useFactory: async (...injected: unknown[]) => rejectStructure(await useFactory(...injected)),
  };
  return [
    values,
    { provide: PlatformValues, inject: [IDENTITY_VALUES], useFactory: platformValues },
    {
      provide: HostDeclarations,
      inject: [IDENTITY_VALUES],
      useFactory: (declared: IdentityValues): HostDeclarations => {
        const { permissions = [], roles = [], attributes = [], settings = {} } = declared;
        return { permissions, roles, attributes, settings };
      },
    },
    {
      provide: ANNOUNCE_ADMINISTRATOR,
      inject: [IDENTITY_VALUES],
      useFactory: ({ onFirstAdministrator = printAdministrator }: IdentityValues) => onFirstAdministrator,
    },
  ];
}

interface HostPart {
  readonly token: InjectionToken;
  readonly providers: readonly Provider[];
}

/** Wraps the instance in an object, so that only the port provides it and Nest calls its hooks and listeners once. */
function replacement<T>(port: Abstract<T>, given: Type<T> | undefined): HostPart[] {
  if (!given) return [];
  const token = hostPart(port);
  const useFactory = async (module: ModuleRef): Promise<Replacement<T>> => ({ instance: await module.create(given) });
  return [{ token, providers: [{ provide: token, inject: [ModuleRef], useFactory }] }];
}

function additions<T>(port: Abstract<T>, given: readonly Type<T>[] = []): HostPart[] {
  const token = hostPart(port);
  const list = { provide: token, inject: [...given], useFactory: (...built: T[]) => built };
  return [{ token, providers: [...given, list] }];
}

const hostParts = (extensions: IdentityExtensions): HostPart[] => [
  ...replacement(AvatarGenerator, extensions.avatarGenerator),
  ...replacement(AvatarPictures, extensions.avatarPictures),
  ...replacement(Mailer, extensions.mailer),
  ...replacement(SmsSender, extensions.smsSender),
  ...additions(LoginMethod, extensions.loginMethods),
  ...additions(OAuthProviderAdapter, extensions.oauthProviderAdapters),
];

/** A placeholder class for the host's modules, known before their promises resolve. */
@Module({})
class HostModules {}

async function together(modules: readonly HostModule[]): Promise<DynamicModule> {
  const kept = await Promise.all(modules.map(async (module) => module));
  return { module: HostModules, imports: kept, exports: kept };
}

/**
 * The host's values, classes for our ports, and modules that these classes inject from. Global, because the platform
 * and the features inject them.
 */
@Module({})
export class HostPartsModule {
  static forRoot(factory: ValuesFactory, { imports = [], extensions = {} }: IdentityStructure): DynamicModule {
    const parts = hostParts(extensions);
    return {
      module: HostPartsModule,
      global: true,
      imports: imports.length > 0 ? [together(imports)] : [],
      providers: [...providers(factory), ...parts.flatMap((part) => part.providers)],
      exports: [
        PlatformValues,
        HostDeclarations,
        ANNOUNCE_ADMINISTRATOR,
        ...parts.map(({ token }) => token),
        ...(imports.length > 0 ? [HostModules] : []),
      ],
    };
  }
}
