import { HttpAdapterHost } from '@nestjs/core';
import { readEnvironment } from '../config';
import { IssuerService } from './issuer.service';
import { fake } from '../../../test/support/service/fake';

describe('IssuerService', () => {
  const server = { address: (): unknown => null };
  const host = fake<HttpAdapterHost>({ httpAdapter: { getHttpServer: () => server } });
  const listenAt = (address: unknown): void => {
    server.address = () => address;
  };
  const issuer = (environment: Record<string, string>, of = host): IssuerService =>
    new IssuerService(readEnvironment(environment), of);

  it.each<[Record<string, string>, string]>([
    [{ PORT: '0', PUBLIC_URL: 'https://id.example.com' }, 'https://id.example.com'],
    [{}, 'http://127.0.0.1:4000'],
    [{ HOST: '::1', PORT: '8080' }, 'http://[::1]:8080'],
    [{ PORT: '0' }, 'http://127.0.0.1:4711'],
  ])('derives from %j: %s', (environment, url) => {
    listenAt({ port: 4711 });
    expect(issuer(environment).url).toBe(url);
  });

  it('keeps the port after the server has stopped listening', () => {
    const kept = issuer({ PORT: '0' });
    listenAt({ port: 4711 });
    expect(kept.url).toBe('http://127.0.0.1:4711');
    listenAt(null);
    expect(kept.url).toBe('http://127.0.0.1:4711');
  });

  it('returns a URL on the command line, without a server', () => {
    expect(issuer({ PORT: '0' }, {} as HttpAdapterHost).url).toBe('http://127.0.0.1:0');
  });
});
