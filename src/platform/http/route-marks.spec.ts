import { Get, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { ApiController } from '../access';
import { isOwnRoute } from './route-marks';

class Base {
  @Get('inherited')
  inherited(): void {}
}

@ApiController('marked')
class Marked extends Base {
  @Get()
  plain(): void {}

  @Post()
  @RouteConfig({ limit: 5 })
  configured(): void {}

  helper(): void {}
}

const configOf = (name: keyof Marked): unknown =>
  Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, Marked.prototype[name]);

describe('markOwnRoutes', () => {
  it('marks every route of the controller, inherited ones too, and nothing else', () => {
    expect([isOwnRoute(configOf('plain')), isOwnRoute(configOf('inherited')), isOwnRoute(configOf('helper'))]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('keeps the route config that is already set', () => {
    expect(configOf('configured')).toMatchObject({ limit: 5 });
    expect(isOwnRoute(configOf('configured'))).toBe(true);
  });

  it.each([undefined, null, {}, 'castellan', { castellan: 'true' }])('does not read %j as the mark', (config) => {
    expect(isOwnRoute(config)).toBe(false);
  });
});
