import type { ArgumentsHost } from '@nestjs/common';

interface GraphqlContext {
  readonly req?: object;
  readonly request?: object;
  readonly reply?: { readonly request?: object };
}

function requestOfGraphql(context: GraphqlContext | undefined): object {
  const request = context?.req ?? context?.request ?? context?.reply?.request;
  if (request) return request;
  throw new Error('The GraphQL context has no request: let `context` of GraphQLModule.forRoot return { req }');
}

function requestOfSocket(client: { readonly request?: object }): object {
  if (client.request) return client.request;
  throw new Error('The socket has no request: set client.request = request in handleConnection(client, request)');
}

/** The HTTP request of a route or of a GraphQL resolver, or the handshake of the socket that a message came by. */
export function requestIn(host: ArgumentsHost): object {
  switch (host.getType<string>()) {
    case 'graphql':
      return requestOfGraphql(host.getArgByIndex<GraphqlContext | undefined>(2));
    case 'ws':
      return requestOfSocket(host.switchToWs().getClient<{ request?: object }>());
    default:
      return host.switchToHttp().getRequest<object>();
  }
}
