import { DynamicModule, FactoryProvider, Module, Provider } from '@nestjs/common';
import { ANNOUNCE_ADMINISTRATOR, AnnounceAdministrator } from './auth';
import { HostModule, IdentityAsyncOptions, IdentityValues } from './identity.options';
import { readEnvironment } from './platform/config';
import { PlatformValues } from './platform/platform.options';

const IDENTITY_VALUES = Symbol('castellan.identity_values');

/* eslint-disable no-console -- a generated password is printed for a person to read, and must not pass through the log */
const printAdministrator: AnnounceAdministrator = ({ username, password }) => {
  console.log(`\n  First administrator   ${username}\n  Password              ${password}\n  (printed once)\n`);
};
/* eslint-enable no-console */

/** A factory is typed by hand in many hosts: what it cannot decide any more must not be dropped in silence. */
function refuseStructure(values: IdentityValues): IdentityValues {
  const late = ['imports', 'extensions'].filter((name) => name in values);
  if (late.length === 0) return values;
  throw new Error(`IdentityModule.forRootAsync takes ${late.join(' and ')} beside useFactory, not from it`);
}

function platformValues({ environment, log, embeddedDatabase }: IdentityValues): PlatformValues {
  return {
    environment: readEnvironment(environment),
    ...(log && { log }),
    ...(embeddedDatabase && { embedded: embeddedDatabase }),
  };
}

type ValuesFactory = Pick<IdentityAsyncOptions, 'inject' | 'useFactory'>;

function providers({ inject = [], useFactory }: ValuesFactory): Provider[] {
  const values: FactoryProvider = {
    provide: IDENTITY_VALUES,
    inject,
    useFactory: async (...injected: unknown[]) => refuseStructure(await useFactory(...injected)),
  };
  return [
    values,
    { provide: PlatformValues, inject: [IDENTITY_VALUES], useFactory: platformValues },
    {
      provide: ANNOUNCE_ADMINISTRATOR,
      inject: [IDENTITY_VALUES],
      useFactory: ({ onFirstAdministrator = printAdministrator }: IdentityValues) => onFirstAdministrator,
    },
  ];
}

/** Stands for the host's modules by a class that is known before any promise of one is kept. */
@Module({})
class HostModules {}

async function together(modules: readonly HostModule[]): Promise<DynamicModule> {
  const kept = await Promise.all(modules.map(async (module) => module));
  return { module: HostModules, imports: kept, exports: kept };
}

/** What the host gives: values, and the modules that its own classes among us may ask. */
@Module({})
export class HostPartsModule {
  static register(factory: ValuesFactory, imports: readonly HostModule[]): DynamicModule {
    return {
      module: HostPartsModule,
      imports: imports.length > 0 ? [together(imports)] : [],
      providers: providers(factory),
      exports: [PlatformValues, ANNOUNCE_ADMINISTRATOR, ...(imports.length > 0 ? [HostModules] : [])],
    };
  }
}
