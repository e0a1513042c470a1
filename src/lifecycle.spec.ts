import { Environment } from './platform/config';
import { drainingMs } from './lifecycle';

const environment = (isProduction: boolean, shutdownSeconds: number): Environment =>
  ({ isProduction, shutdownSeconds }) as Environment;

describe('the time for load balancers to turn away', () => {
  it.each([
    [true, 20, 2_000],
    [true, 4, 1_000],
    [true, 0, 0],
    [false, 20, 0],
  ])('production: %s, SHUTDOWN_SECONDS %i: %i ms', (isProduction, seconds, milliseconds) => {
    expect(drainingMs(environment(isProduction, seconds))).toBe(milliseconds);
  });
});
