import { Controller, INestApplication, Module } from '@nestjs/common';
import { claimControllers, hostModules } from './service-routes';

@Controller()
class Ours {}
@Module({ controllers: [Ours] })
class OurModule {}
@Controller()
class Theirs {}
class TheirModule {}

const having = (...controllers: object[]): INestApplication =>
  ({ get: () => ({ getControllers: () => controllers }) }) as unknown as INestApplication;

describe('hostModules', () => {
  claimControllers([OurModule]);
  const ours = { metatype: Ours, host: { metatype: OurModule } };
  const theirs = { metatype: Theirs, host: { metatype: TheirModule } };

  it('names the modules with controllers that are not of the service', () => {
    expect(hostModules(having(ours, theirs))).toEqual([TheirModule]);
  });

  it('names some module for a host without controllers, since @nestjs/swagger takes none for all', () => {
    const modules = hostModules(having(ours));
    expect(modules).toHaveLength(1);
    expect(modules).not.toContain(OurModule);
  });
});
